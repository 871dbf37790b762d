# A headless Chromium, driven over a pipe by its own protocol: real clicks, keys
# and drags, and what the page computes. For tests of pages.
#
#	Browser::watch();	# first of all
#	my $b = Browser->start(width, height) or it is missing
#	$b->open($url); $b->js('document.title'); $b->click($x, $y); $b->stop
package Browser;
use strict;
use warnings;
use File::Temp qw(tempdir);
use IO::Select;
use JSON::PP;
use MIME::Base64;
use POSIX ();
use Time::HiRes qw(sleep time);

sub program {
	for my $name (qw(chromium chromium-browser google-chrome)) {
		for my $dir (split(/:/, $ENV{PATH})) {
			return "$dir/$name" if -x "$dir/$name";
		}
	}
	return;
}

# Runs the rest of the program in a child and shows its output when it has ended; runs
# it once more, at most $TRIES times in all, if it lost its browser, which the system may
# end when memory is short. To be called before anything is printed or made.
my ($LOST, $TRIES) = (75, 3);
my $watched;
sub watch {
	for my $try (1 .. $TRIES) {
		CORE::open(my $output, '+>', undef) or die "$!\n";
		my $pid = fork() // die "$!\n";
		if ($pid == 0) {
			CORE::open(STDOUT, '>&', $output) or die "$!\n";
			$SIG{$_} = sub { exit(1) } for qw(HUP INT TERM);
			$watched = 1;
			return;
		}
		local @SIG{qw(HUP INT TERM)} = (sub { kill('TERM', $pid) }) x 3;
		1 while waitpid($pid, 0) < 0 && $!{EINTR};
		next if $? == $LOST << 8 && $try < $TRIES;
		my $status = $?;
		seek($output, 0, 0);
		print(<$output>);
		STDOUT->flush;
		kill($status & 127, $$) if $status & 127;
		POSIX::_exit($status >> 8);
	}
}

# There is no browser any more.
sub lose {
	my ($why) = @_;
	die "Browser: $why\n" if !$watched;
	print(STDERR "Browser: $why\n");
	exit($LOST);
}

# Has something that began then taken more than so many seconds? On a loaded machine
# they are more.
sub late {
	my ($began, $seconds) = @_;
	chomp(our $cores //= `nproc`);
	CORE::open(my $f, '<', '/proc/loadavg') or return time > $began + $seconds;
	my $load = (split(/ /, <$f>))[0] / $cores;
	return time > $began + $seconds * ($load > 1 ? $load : 1);
}

# A browser with one page; started anew if it ends before it has shown one.
sub start {
	my ($class, @how) = @_;
	my $program = program() or return;
	my $self;
	for my $try (1 .. $TRIES) {
		$self = eval { $class->launch($program, @how) } and return $self;
		warn "Browser: try $try: $@";
	}
	lose("$program does not start");
}

sub launch {
	my ($class, $program, $width, $height, @options) = @_;
	my $profile = tempdir(CLEANUP => 1);
	local $^F = 20;		# these pipes are for the child
	pipe(my $theirs_in, my $ours_out) or die;
	pipe(my $ours_in, my $theirs_out) or die;
	my $pid = fork() // die;
	if ($pid == 0) {
		POSIX::setsid();
		open(STDIN, '<', '/dev/null');
		open(STDOUT, '>', '/dev/null');
		open(STDERR, '>', '/dev/null');
		POSIX::dup2(fileno($theirs_in), 10);
		POSIX::dup2(fileno($theirs_out), 11);
		POSIX::dup2(10, 3);
		POSIX::dup2(11, 4);
		no warnings 'exec';	# what follows is for when it fails
		exec($program, '--headless=new', '--no-sandbox', '--disable-gpu',
		    '--remote-debugging-pipe', "--user-data-dir=$profile",
		    '--disable-dev-shm-usage', '--no-first-run', '--mute-audio',
		    "--window-size=$width,$height", @options, 'about:blank');
		POSIX::_exit(127);
	}
	close($theirs_in);
	close($theirs_out);
	my $self = bless({ pid => $pid, in => $ours_in, out => $ours_out, id => 0,
	    text => '', errors => [], width => $width, height => $height }, $class);
	$self->{out}->autoflush(1);
	$self->{session} = $self->call('Target.attachToTarget',
	    { targetId => $self->first_page, flatten => JSON::PP::true })->{sessionId};
	$self->call("$_.enable") for qw(Page Runtime Log Inspector);
	$self->call('Page.setLifecycleEventsEnabled', { enabled => JSON::PP::true });
	$self->size($width, $height);
	$self->{started} = 1;
	return $self;
}

# The page that it shows at first. It answers before it has one.
sub first_page {
	my ($self) = @_;
	for (my $began = time; !late($began, 300); sleep(0.05)) {
		my ($page) = grep { $_->{type} eq 'page' } @{ $self->call('Target.getTargets')->{targetInfos} };
		return $page->{targetId} if $page;
	}
	die "no page\n";
}

# One message from the browser; undef if it sends none for a second.
sub message {
	my ($self) = @_;
	while ((my $end = index($self->{text}, "\0")) < 0) {
		return if !IO::Select->new($self->{in})->can_read(1);
		sysread($self->{in}, $self->{text}, 1 << 20, length($self->{text})) or $self->ended('it ended');
	}
	my ($one, $rest) = split(/\0/, $self->{text}, 2);
	$self->{text} = $rest;
	my $m = decode_json($one);
	$self->note($m);
	return $m;
}

# The browser, or its page, ended by itself.
sub ended {
	my ($self, $why) = @_;
	my $started = $self->{started};
	$self->stop;
	$started ? lose($why) : die "$why\n";
}

# Errors of the page, whoever asks.
sub note {
	my ($self, $m) = @_;
	my $method = $m->{method} // return;
	if ($method eq 'Runtime.exceptionThrown') {
		my $e = $m->{params}{exceptionDetails};
		push(@{ $self->{errors} }, $e->{exception}{description} // $e->{text});
	} elsif ($method eq 'Runtime.consoleAPICalled' && $m->{params}{type} eq 'error') {
		push(@{ $self->{errors} }, 'console.error');
	} elsif ($method eq 'Log.entryAdded' && $m->{params}{entry}{level} eq 'error') {
		push(@{ $self->{errors} }, $m->{params}{entry}{text});
	} elsif ($method eq 'Page.lifecycleEvent' && $m->{params}{name} eq 'load') {
		$self->{loaded}{ $m->{params}{loaderId} } = 1;
	} elsif ($method eq 'Inspector.targetCrashed') {
		$self->ended('its page crashed');
	}
}

sub call {
	my ($self, $method, $params, $seconds) = @_;
	my $id = ++$self->{id};
	my %m = (id => $id, method => $method, params => $params // {});
	$m{sessionId} = $self->{session} if $self->{session};
	local $SIG{PIPE} = 'IGNORE';	# if it has ended, the reader notices
	print({ $self->{out} } encode_json(\%m), "\0");
	for (my $began = time; !late($began, $seconds // 300);) {
		my $got = $self->message // next;
		next if ($got->{id} // 0) != $id;
		die "$method: $got->{error}{message}\n" if $got->{error};
		return $got->{result};
	}
	die "$method: no answer\n";
}

sub size {
	my ($self, $width, $height, $mobile) = @_;
	$self->call('Emulation.setDeviceMetricsOverride', { width => $width + 0,
	    height => $height + 0, deviceScaleFactor => 1,
	    mobile => $mobile ? JSON::PP::true : JSON::PP::false });
}

sub dark {
	my ($self, $scheme) = @_;
	$self->call('Emulation.setEmulatedMedia', { features =>
	    [{ name => 'prefers-color-scheme', value => $scheme }] });
}

# What a page may do, for all pages.
sub permit {
	my ($self, @permissions) = @_;
	local $self->{session};
	$self->call('Browser.grantPermissions', { permissions => \@permissions });
}

# Opens a page, and waits until it is there with all its parts; one that differs only
# behind # is there already.
sub open {
	my ($self, $url) = @_;
	my $to = $self->call('Page.navigate', { url => $url });
	die "$url: $to->{errorText}\n" if $to->{errorText};
	my $began = time;
	until (!$to->{loaderId} || $self->{loaded}{ $to->{loaderId} }) {
		die "$url: not loaded\n" if late($began, 300);
		$self->message;
	}
}

# The value of an expression, or of the promise that it is.
sub js {
	my ($self, $code, $seconds) = @_;
	my $r = $self->call('Runtime.evaluate', { expression => $code,
	    returnByValue => JSON::PP::true, awaitPromise => JSON::PP::true }, $seconds);
	die "$code: $r->{exceptionDetails}{exception}{description}\n"
	    if $r->{exceptionDetails};
	return $r->{result}{value};
}

# Waits until an expression is true; false if it is not within five minutes without
# load, which only something that hangs takes.
sub until {
	my ($self, $code, $seconds) = @_;
	for (my $began = time; !late($began, $seconds // 300); sleep(0.05)) {
		return 1 if eval { $self->js($code) };
	}
	return 0;
}

sub mouse {
	my ($self, $type, $x, $y, $buttons, $button) = @_;
	$button //= 'left';
	$self->call('Input.dispatchMouseEvent', { type => $type, x => $x + 0, y => $y + 0,
	    button => $type eq 'mouseMoved' && !$buttons ? 'none' : $button,
	    buttons => $buttons ? ($button eq 'right' ? 2 : 1) : 0, clickCount => 1 });
}

sub click {
	my ($self, $x, $y) = @_;
	$self->mouse('mousePressed', $x, $y, 1);
	$self->mouse('mouseReleased', $x, $y, 0);
}

sub drag {
	my ($self, $x, $y, $to_x, $to_y, $button) = @_;
	$self->mouse('mousePressed', $x, $y, 1, $button);
	$self->mouse('mouseMoved', ($x + $to_x) / 2, ($y + $to_y) / 2, 1, $button);
	$self->mouse('mouseMoved', $to_x, $to_y, 1, $button);
	$self->mouse('mouseReleased', $to_x, $to_y, 0, $button);
}

sub tap {
	my ($self, $x, $y) = @_;
	$self->call('Input.dispatchTouchEvent', { type => 'touchStart',
	    touchPoints => [{ x => $x, y => $y }] });
	$self->call('Input.dispatchTouchEvent', { type => 'touchEnd', touchPoints => [] });
}

sub key {
	my ($self, $key) = @_;
	my %text = $key eq 'Enter' ? (text => "\r") : length($key) == 1 ? (text => $key) : ();
	$self->call('Input.dispatchKeyEvent', { type => %text ? 'keyDown' : 'rawKeyDown',
	    key => $key, code => $key, %text,
	    ($key eq 'Enter' ? (windowsVirtualKeyCode => 13) :
	    $key eq 'Escape' ? (windowsVirtualKeyCode => 27) : ()) });
	$self->call('Input.dispatchKeyEvent', { type => 'keyUp', key => $key, code => $key });
}

# A picture of the page, as PNG.
sub picture {
	my ($self, $file, $whole) = @_;
	my $r = $self->call('Page.captureScreenshot', { format => 'png',
	    captureBeyondViewport => $whole ? JSON::PP::true : JSON::PP::false });
	CORE::open(my $f, '>:raw', $file) or die "$file: $!\n";
	print({ $f } decode_base64($r->{data}));
	close($f) or die "$file: $!\n";
}

# What axe-core finds wrong with the page's accessibility, a line each; undef if npm
# cannot bring it. It is kept in a folder, and npm checks it by its hash.
my %axe = (version => '4.10.3', hash =>
    'sha512-Xm7bpRXnDSX2YE2YFfBk2FnF0ep6tmG7xPh8iHee8MIcrgq762Nkce856dYtJYLkuIoYZvGfTs/PbZhideTcEg==');
sub axe {
	my ($self, $folder) = @_;
	my $file = "$folder/axe-core-$axe{version}/node_modules/axe-core/axe.min.js";
	if (!-e $file) {
		my $dir = "$folder/axe-core-$axe{version}";
		system('mkdir', '-p', $dir) == 0 or return;
		CORE::open(my $lock, '>', "$dir/package-lock.json") or return;
		print({ $lock } encode_json({ name => 'x', lockfileVersion => 3, packages => {
		    '' => { dependencies => { 'axe-core' => $axe{version} } },
		    'node_modules/axe-core' => { version => $axe{version}, integrity => $axe{hash} } } }));
		close($lock);
		CORE::open(my $package, '>', "$dir/package.json") or return;
		print({ $package } encode_json({ name => 'x', dependencies => { 'axe-core' => $axe{version} } }));
		close($package);
		system("cd '$dir' && npm ci --ignore-scripts >/dev/null 2>&1");
		return if !-e $file;
	}
	CORE::open(my $f, '<:utf8', $file) or return;
	local $/;
	my $source = <$f>;
	$self->js("$source; 1");
	return $self->js('axe.run().then(function (r) { return r.violations.map(function (v) {' .
	    'return v.id + ": " + v.nodes.map(function (n) { return n.target.join(" "); }).slice(0, 3).join(", ") }) })');
}

sub stop {
	my ($self) = @_;
	my $pid = delete $self->{pid} or return;
	kill('TERM', -$pid);
	for (1 .. 50) {
		last if waitpid($pid, POSIX::WNOHANG()) != 0;
		sleep(0.1);
	}
	kill('KILL', -$pid);
	waitpid($pid, 0);
}

sub DESTROY {
	my ($self) = @_;
	local ($?, $@);
	$self->stop;
}

1;
