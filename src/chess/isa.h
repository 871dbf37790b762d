/*
 * The hot files of this layer (make.c, movegen.c, movefind.c, perft.c, run.c, san.c) are
 * compiled once for each instruction set, with ISA defined as its name, which
 * becomes a suffix of the names below. isa.c defines the plain names and
 * dispatches each call to the best copy that this machine can run. So one
 * portable binary uses BMI2 where available, and calls within a hot file stay
 * direct.
 */
#ifndef CHESS_ISA_H
#define CHESS_ISA_H

#ifdef ISA
#define ISA_PASTE_(name, isa) name##_##isa
#define ISA_PASTE(name, isa) ISA_PASTE_(name, isa)
#define board_make ISA_PASTE(board_make, ISA)
#define board_unmake ISA_PASTE(board_unmake, ISA)
#define board_checkers ISA_PASTE(board_checkers, ISA)
#define board_checkers_of ISA_PASTE(board_checkers_of, ISA)
#define board_ep_is_safe ISA_PASTE(board_ep_is_safe, ISA)
#define board_attackers ISA_PASTE(board_attackers, ISA)
#define board_ep_playable ISA_PASTE(board_ep_playable, ISA)
#define line_add ISA_PASTE(line_add, ISA)
#define movegen_list ISA_PASTE(movegen_list, ISA)
#define movegen_noisy ISA_PASTE(movegen_noisy, ISA)
#define movegen_count ISA_PASTE(movegen_count, ISA)
#define movegen_find ISA_PASTE(movegen_find, ISA)
#define movegen_sources ISA_PASTE(movegen_sources, ISA)
#define movegen_can_move ISA_PASTE(movegen_can_move, ISA)
#define movegen_early_end ISA_PASTE(movegen_early_end, ISA)
#define movegen_drop ISA_PASTE(movegen_drop, ISA)
#define movegen_castling ISA_PASTE(movegen_castling, ISA)
#define movegen_listed ISA_PASTE(movegen_listed, ISA)
#define movegen_both_castlings ISA_PASTE(movegen_both_castlings, ISA)
#define perft ISA_PASTE(perft, ISA)
#define run_play_long ISA_PASTE(run_play_long, ISA)
#define run_play_san ISA_PASTE(run_play_san, ISA)
#define san_read ISA_PASTE(san_read, ISA)
#define san_write ISA_PASTE(san_write, ISA)
#endif

/* The instruction set in use: "v3" (x86-64-v3 with a fast PEXT) or "base". */
const char *isa_name(void);

#endif
