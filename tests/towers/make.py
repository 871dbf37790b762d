#!/usr/bin/python3
"""Makes the towers of this folder, as a user would who brings a net of his own:
a small convolutional net with random weights, good.onnx, and others that differ
from it in one thing, most of which have to be refused.

    tests/towers/make.py        (needs python3-onnx; the tests need only the files)

What goes in and comes out is described in src/net/encode.h and selfplay(1).
"""
import os
import random
import struct

from onnx import TensorProto, helper

FLOAT = TensorProto.FLOAT
FILTERS = 4


def make(fault):
    numbers = random.Random(1)
    weights = []

    def tensor(name, *dims, scale=1.0, bias=0.0):
        n = 1
        for d in dims:
            n *= d
        spread = scale * (3 * dims[0] / n) ** 0.5 if len(dims) > 1 else 0.1
        data = [bias + numbers.uniform(-spread, spread) for _ in range(n)]
        t = helper.make_tensor(name, FLOAT, dims, struct.pack(f'<{n}f', *data), raw=True)
        weights.append(t)
        return name

    def conv(of, name, to, from_, size, out=None):
        w = tensor(name + '.w', to, from_, size, size)
        spoilt = float('nan') if (fault, name) == ('nan-policy', 'policy') else 0.0
        b = tensor(name + '.b', to, bias=spoilt)
        return helper.make_node('Conv', [of, w, b], [out or name],
                                kernel_shape=[size, size], pads=[size // 2] * 4)

    planes = 31 if fault == 'board' else 32
    moves = 75 if fault == 'policy' else 76
    results = 2 if fault == 'wdl' else 3
    policy = 'moves' if fault == 'name' else 'policy'
    n = 1 if fault == 'batch' else 'n'
    spoilt = {'nan': float('nan'), 'inf': float('inf')}.get(fault, 0.0)
    nodes = [
        conv('nowhere' if fault == 'graph' else 'board', 'stem', FILTERS, planes, 1),
        helper.make_node('Relu', ['stem'], ['x']),
        conv('x', 'block', FILTERS, FILTERS, 3),
        helper.make_node('Add', ['x', 'block'], ['sum']),
        helper.make_node('Relu', ['sum'], ['y']),
        conv('y', 'policy', moves, FILTERS, 1, policy),
        helper.make_node('GlobalAveragePool', ['y'], ['pool']),
        helper.make_node('Flatten', ['pool'], ['mean']),
        helper.make_node('Gemm', ['mean', tensor('value.w', results, FILTERS, scale=3.0),
                                  tensor('value.b', results, bias=spoilt)],
                         ['wdl'], transB=1),
    ]
    if fault == 'external':
        weights[0].ClearField('raw_data')
        weights[0].data_location = TensorProto.EXTERNAL
        weights[0].external_data.add(key='location', value='other')
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, 'tower', [value('board', FLOAT, [n, planes, 8, 8])],
        [value(policy, FLOAT, [n, moves, 8, 8]), value('wdl', FLOAT, [n, results])], weights)
    model = helper.make_model(graph, producer_name='tests/towers/make.py',
                              opset_imports=[helper.make_opsetid('', 14)])
    model.ir_version = 8
    if fault != 'metadata':
        about = {'rulelab.input': 'another-1' if fault == 'encoding' else 'rulelab-32x8x8-1',
                 'rulelab.policy': 'rulelab-76x8x8-1',
                 'rulelab.rules': 'none: random weights'}
        if fault == 'fields':
            about['rulelab.fields'] = 'castling_from'
        helper.set_model_props(model, about)
    return model.SerializeToString()


FAULTS = {
    'good': 'none',
    'fields': 'says that castling_from is all it knows of the rules',
    'batch': 'a fixed number of positions at a time',
    'board': 'an input of another size',
    'policy': 'a policy of another size',
    'wdl': 'a result of another size',
    'name': 'an output of another name',
    'encoding': 'another encoding',
    'metadata': 'does not name its encoding',
    'graph': 'a layer without input',
    'external': 'weights in another file',
    'nan': 'results that are not numbers',
    'inf': 'results that are infinite',
    'nan-policy': 'a policy that is not a number',
}

if __name__ == '__main__':
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    for name in FAULTS:
        with open(name + '.onnx', 'wb') as file:
            file.write(make(name))
