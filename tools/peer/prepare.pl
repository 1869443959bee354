#!/usr/bin/env perl
# Makes sources that compile against RealmObjects of the tests in a checkout of RealmSwift. Lines stay where they are, so that what the
# compiler says of a line is said of that line of the original.
#   prepare.pl CHECKOUT RULES PRUNED OUT
# RULES is the written list (rules.txt), PRUNED what did not compile (file, first line, last line, name), OUT the folder for the sources.
# Writes OUT/tests.tsv: file, test, and why it is left out if it is.
use strict;
use warnings;
use utf8;
use open ':std', ':encoding(UTF-8)';

my ($checkout, $rules, $pruned, $out) = @ARGV;
my (@files, @support, %test_reason, @match, @edit, %pruned);

open(my $in, '<:encoding(UTF-8)', $rules) or die "$rules: $!";
while (<$in>) {
    chomp;
    next if /^\s*(#|$)/;
    my ($kind, $what, $reason) = split /\t+/;
    if ($kind eq 'take') { push @files, $what }
    elsif ($kind eq 'models') { push @support, $what }
    elsif ($kind eq 'test') { $test_reason{$what} = $reason }
    elsif ($kind eq 'match') { push @match, [qr/$what/, $reason] }
    elsif ($kind eq 'edit') { push @edit, [qr/$what/m, $reason] }
    elsif ($kind eq 'file' || $kind eq 'fails') { }
    else { die "$rules:$.: what is '$kind'?\n" }
}
close $in;
if (open($in, '<:encoding(UTF-8)', $pruned)) {
    while (<$in>) { chomp; my ($file, $first, $last) = split /\t/; push @{$pruned{$file}}, [$first, $last] }
}

# The text with comments and strings blanked, so that braces are those of the program.
sub blanked {
    my ($text) = @_;
    my $result = '';
    while (1) {
        if ($text =~ /\G("""(?:[^\\]|\\.)*?""")/gcs || $text =~ m{\G(//[^\n]*)}gc || $text =~ m{\G(/\*.*?\*/)}gcs) {
            (my $space = $1) =~ s/[^\n]/ /g;
            $result .= $space;
        } elsif ($text =~ /\G"/gc) {
            my $start = pos($text) - 1;
            my $depth = 0;
            # A string may have expressions inside, and strings in these.
            while ($text =~ /\G(\\\(|\\.|[()"]|[^\\()"]+)/gcs) {
                if ($1 eq '\\(') { $depth++ }
                elsif ($depth && $1 eq '(') { $depth++ }
                elsif ($depth && $1 eq ')') { $depth-- }
                elsif ($1 eq '"' && !$depth) { last }
            }
            (my $space = substr($text, $start, pos($text) - $start)) =~ s/[^\n]/ /g;
            $result .= $space;
        } elsif ($text =~ m{\G([^"/]+|/)}gcs) { $result .= $1 }
        else { last }
    }
    return $result;
}

# Functions, initialisers and types: kind, name, first and last line, what it is in.
sub members {
    my ($blank) = @_;
    my (@found, @open);
    my $line = 1;
    my $statement = '';
    my $statement_line = 1;
    my $parens = 0;
    for my $part (split /([{}()\n;])/, $blank) {
        if ($part eq "\n") {
            $line++;
            $statement .= ' ';
            if (!$parens && $statement !~ /\S/) { $statement_line = $line }
            # Attributes may stand on lines of their own, and parameters on several; other lines end a statement.
            if (!$parens && $statement =~ /\S/ && $statement !~ /^\s*(\@\w+(\([^)]*\))?\s*)+$/
                && $statement !~ /\b(func|class|struct|enum|protocol|extension|init|where|throws|async)\b/) {
                $statement = '';
                $statement_line = $line;
            }
        } elsif ($part eq '(') { $parens++; $statement .= $part }
        elsif ($part eq ')') { $parens--; $statement .= $part }
        elsif ($part eq '{') {
            my ($kind, $name, $base) = ('other', '', '');
            if ($statement =~ /\bfunc\s+([^\s(<]+)/) { ($kind, $name) = ('func', $1) }
            elsif ($statement =~ /\b(class|struct|enum|protocol|extension|actor)\s+([\w.]+)\s*(<[^{]*?>)?\s*(?::\s*(.*))?$/s
                && $statement !~ /\b(var|let)\b/) {
                ($kind, $name, $base) = ('type', $2, $4 // '');
                $name .= '<>' if defined $3;
            } elsif ($statement =~ /\binit[?!]?\s*[(<]/) { ($kind, $name) = ('func', 'init') }
            elsif ($statement =~ /\bvar\s+(\w+)/) { ($kind, $name) = ('func', $1) }
            my @types = grep { $_->{kind} eq 'type' } @open;
            my %member = (kind => $kind, name => $name, base => $base, first => $statement_line, head => $statement,
                in => @types ? $types[-1] : undef, depth => scalar(grep { $_->{kind} eq 'func' } @open),
                parens => $parens);
            push @open, \%member;
            ($statement, $parens) = ('', 0);
            $statement_line = $line;
        } elsif ($part eq '}') {
            my $member = pop @open or next;
            $member->{last} = $line;
            push @found, $member if $member->{kind} ne 'other';
            $parens = $member->{parens};
            ($statement, $statement_line) = ('', $line);
        } elsif ($part eq ';') { ($statement, $statement_line) = ('', $line) }
        else {
            if ($statement !~ /\S/ && $part =~ /\S/) { $statement_line = $line }
            $statement .= $part;
        }
    }
    return @found;
}

# Models of the older form become ones of the newer form, which is the one that does not need Objective-C.
sub modern {
    my ($text) = @_;
    $text =~ s/\@objc\([\w.]+\)//g;
    $text =~ s/\@objc dynamic (lazy )?var (\w+)(: [^\n={]+)? \{/'var ' . $2 . ($3 \/\/ '') . ' {'/ge;
    $text =~ s/\@objc dynamic lazy var/lazy var/g;
    $text =~ s/\@objc (public )?dynamic (private |public )?var/\@Persisted var/g;
    $text =~ s/\@objc\s+(enum|class|func|protocol|optional)/$1/g;
    $text =~ s/(\@Persisted var \w+: )NS(String|Data|Date)\b/$1$2/g;
    $text =~ s/(\@Persisted var \w+: [\w.]+)!/$1?/g;
    # Only in bodies of classes.
    my @lines = split /\n/, $text, -1;
    my @inner;
    for my $member (sort { ($b->{last} - $b->{first}) <=> ($a->{last} - $a->{first}) } members(blanked($text))) {
        $inner[$_] = $member for $member->{first} .. $member->{last};
    }
    for my $number (1 .. @lines) {
        my $member = $inner[$number] or next;
        next unless $member->{kind} eq 'type' && $member->{head} =~ /\bclass\b/;
        for ($lines[$number - 1]) {
            s/^( *)(?:public )?(?:final )?(?:let|var) (\w+) = ((?:List|MutableSet|Map)<.+>)\(\)/$1\@Persisted var $2: $3/;
            s/^( *)let (\w+) = LinkingObjects\(fromType: ([\w.]+)\.self, property: "(\w+)"\)/$1\@Persisted(originProperty: "$4") var $2: LinkingObjects<$3>/;
            s/^( *)(?:let|var) (\w+) = RealmProperty<(.+)>\(\)/$1\@Persisted var $2: $3/;
            s/^( *)(?:let|var) (\w+) = RealmOptional<(.+)>\(\)/$1\@Persisted var $2: $3?/;
            s/^( *)(?:let|var) (\w+) = RealmOptional<(.+)>\(([^)]+)\)/$1\@Persisted var $2: $3? = $4/;
            s/^( *)(?:let|var) (\w+): RealmOptional<(.+)> = (.*)$/$1\@Persisted var $2: $3?/;
        }
    }
    return join "\n", @lines;
}

sub file_text {
    my ($name) = @_;
    open(my $file, '<:encoding(UTF-8)', "$checkout/RealmSwift/Tests/$name") or die "$name: $!";
    local $/;
    return scalar <$file>;
}

my @all = (@support, @files);
my %text = map { $_ => file_text($_) } @all;

# Properties whose value had to be asked for.
my %boxed;
for my $name (@all) { $boxed{$1} = 1 while $text{$name} =~ /(?:let|var) (\w+)(?: = |: )Realm(?:Property|Optional)</g }
my $boxed = join '|', map { quotemeta } sort keys %boxed;

# Functions that call what is left out are left out for the same reason.
sub with_callers {
    my ($out, $bodies) = @_;
    my $again = 1;
    while ($again) {
        $again = 0;
        for my $name (keys %$bodies) {
            next if exists $out->{$name};
            for my $other (keys %$out) {
                next if $other =~ /^(init|observeValue|setUp|tearDown)$/ || $bodies->{$name} !~ /\b\Q$other\E[(<]/;
                $out->{$name} = $out->{$other};
                $again = 1;
                last;
            }
        }
    }
}

my (%classes, %abstract, @plan);
# What is taken no more.
my %wanted = map { $_ => 1 } @all, 'Support.swift', 'main.swift', 'Entries.swift';
for my $path (glob "$out/*.swift") { unlink $path unless $path =~ m{([^/]+)$} && $wanted{$1} }
for my $name (@all) {
    my $text = modern($text{$name});
    $text =~ s{^.*\bimport (?:struct |class )?RealmSwift\b.*$}{import RealmObjects}mg;
    $text =~ s/^(?:\@testable )?import (?:class )?(Realm|Realm\.[\w.]+|os\.\w+|os|RealmTestSupport|RealmSwiftTestSupport|RealmSwiftSyncTestSupport|Combine|SwiftUI)\s*$//mg;
    $text =~ s/\bRealmSwift\./RealmObjects./g;
    $text =~ s/\.($boxed)\??\.value\b/.$1/g if $boxed;
    for my $edit (@edit) {
        my ($pattern, $by) = ($edit->[0], $edit->[1] // '');
        # As many lines as before.
        $text =~ s{$pattern}{ my @group = map { $_ // '' } ($&, $1, $2, $3); (my $new = $by) =~ s/\$(\d)/$group[$1]/g;
            $new . "\n" x (($group[0] =~ tr{\n}{}) - ($new =~ tr{\n}{})) }gem;
    }
    # Classes whose tests are run by their subclasses only.
    $abstract{$1} = 1 while $text =~ /if isEqual\((\w+)\.self\)/g;
    my @lines = split /\n/, $text, -1;
    my $blank = blanked($text);
    for my $member (members($blank)) {
        if ($member->{kind} eq 'type') {
            next unless $member->{head} =~ /\bclass\b/;
            $classes{$member->{name}} = {name => $member->{name}, base => $member->{base}, tests => [], file => $name, head => $member->{head}}
                unless $classes{$member->{name}};
        }
    }
    my (%out, %bodies);
    for my $member (members($blank)) {
        next unless $member->{kind} eq 'func' && $member->{depth} == 0;
        my $body = join "\n", @lines[$member->{first} - 1 .. $member->{last} - 1];
        $bodies{$member->{name}} = ($bodies{$member->{name}} // '') . $body;
        my ($match) = grep { $body =~ $_->[0] } @match;
        $out{$member->{name}} = $match->[1] if $match;
    }
    with_callers(\%out, \%bodies);
    for my $member (sort { $a->{first} <=> $b->{first} } members($blank)) {
        next unless $member->{kind} eq 'func' && $member->{depth} == 0;
        my $owner = $member->{in} ? $member->{in}{name} : '';
        (my $plain = $owner) =~ s/<>//;
        my $body = join "\n", @lines[$member->{first} - 1 .. $member->{last} - 1];
        my $is_test = $member->{name} =~ /^test/ && $owner ne '' && $member->{head} =~ /\(\s*\)/;
        my $reason = $test_reason{"$plain.$member->{name}"} // $test_reason{"$name:$member->{name}"};
        if (!defined $reason) {
            for my $match (@match) { if ($body =~ $match->[0]) { $reason = $match->[1]; last } }
            $reason //= $out{$member->{name}} if $is_test;
        }
        my $broken = grep { $_->[0] == $member->{first} } @{$pruned{$name} // []};
        if (defined $reason || $broken) { $lines[$_] = '' for $member->{first} - 1 .. $member->{last} - 1 }
        next unless $is_test;
        my $is_async = $member->{head} =~ /\)\s*async\b/ ? 1 : 0;
        my $is_main = $member->{head} =~ /\@MainActor/ || ($member->{in}{head} // '') =~ /\@MainActor/ ? 1 : 0;
        my $state = defined $reason ? $reason : $broken ? '-' : '';
        push @plan, [$name, $plain, $member->{name}, $state];
        my $class = $classes{$owner} // $classes{"$owner<>"};
        push @{$class->{tests}}, {name => $member->{name}, async => $is_async, main => $is_main} if $class && $state eq '';
    }
    # What is pruned and no function.
    for my $range (@{$pruned{$name} // []}) {
        my $first = $range->[0];
        $lines[$_] = '' for $first - 1 .. $range->[1] - 1;
    }
    $text{$name} = join "\n", @lines;
}

# Tests of a class and its superclasses, by the name of the class.
sub is_test_class {
    my ($name) = @_;
    return 1 if $name =~ /^(TestCase|XCTestCase)$/;
    my $class = $classes{$name} // $classes{"$name<>"} or return 0;
    my ($base) = $class->{base} =~ /^\s*([\w.]+)/ or return 0;
    return is_test_class($base);
}
sub tests_of {
    my ($name) = @_;
    my $class = $classes{$name} // $classes{"$name<>"} or return ();
    my ($base) = $class->{base} =~ /^\s*([\w.]+)/;
    my %own = map { $_->{name} => 1 } @{$class->{tests}};
    return (@{$class->{tests}}, grep { !$own{$_->{name}} } $base ? tests_of($base) : ());
}

my @entries;
my %generics;
for my $name (@files) {
    my $text = $text{$name};
    # Generic tests are run for the types that a suite names.
    my %functions;
    while ($text =~ /^(?:private )?func (add\w+)<(\w+): [^>]+>\([^\n]*\{\n(.*?)^\}/msg) { $functions{$1} = [$2, $3] }
    my $add = sub {
        my ($suite, $body, $from, $to) = @_;
        while ($body =~ /(\w+)<([^\n]+)>\.defaultTestSuite/g) {
            my ($class, $types) = ($1, $2);
            $types =~ s/\b$from\b/$to/g if $from;
            push @entries, [$name, "$class<$types>", $class] unless $generics{"$class<$types>"}++;
        }
    };
    while ($text =~ /defaultTestSuite: XCTestSuite \{\n(.*?)\n    \}/msg) {
        my $body = $1;
        $add->('', $body);
        while ($body =~ /(add\w+)\(suite, (\w+)\.self\)/g) {
            my ($function, $type) = ($1, $2);
            $add->('', $functions{$function}[1], $functions{$function}[0], $type) if $functions{$function};
        }
    }
    $text =~ s/^    override class var defaultTestSuite: XCTestSuite \{\n.*?\n    \}$/"\n" x (($& =~ tr{\n}{}))/mesg;
    $text =~ s/^(?:private )?func (add\w+)<(\w+): [^>]+>\(_ suite: XCTestSuite[^\n]*\{\n(.*?)^\}/"\n" x (($& =~ tr{\n}{}))/mesg;
    $text{$name} = $text;
}
for my $name (@all) {
    open(my $file, '>:encoding(UTF-8)', "$out/$name.new") or die $!;
    print $file $text{$name};
    close $file;
    # Files that are as they were are not compiled again.
    if (-e "$out/$name" && !system('cmp', '-s', "$out/$name.new", "$out/$name")) { unlink "$out/$name.new" }
    else { rename "$out/$name.new", "$out/$name" }
}
for my $class (sort { $a->{name} cmp $b->{name} } values %classes) {
    next if $class->{name} =~ /<>$/ || $abstract{$class->{name}} || !is_test_class($class->{name});
    push @entries, [$class->{file}, $class->{name}, $class->{name}];
}

open(my $plan, '>:encoding(UTF-8)', "$out/../../tests.tsv") or die $!;
print $plan join("\t", @$_), "\n" for @plan;
close $plan;
open(my $run, '>:encoding(UTF-8)', "$out/../../classes.tsv") or die $!;
open(my $file, '>:encoding(UTF-8)', "$out/Entries.swift") or die $!;
print $file "import Foundation\nimport RealmObjects\nimport XCTest\n\nfunc allEntries() -> [XCTestCaseEntry] {\n    var entries: [XCTestCaseEntry] = []\n";
my $number = 0;
my @functions;
for my $entry (@entries) {
    my ($source, $type, $class) = @$entry;
    my @tests = tests_of($class) or next;
    $number++;
    print $run "$class\t$source\n";
    print $file "    entries.append(entry$number())\n";
    my $code = "\@MainActor private func makeEntry$number() -> XCTestCaseEntry {\n    testCase([\n";
    for my $test (@tests) {
        my $call = "$type.$test->{name}";
        $call = "asyncTest($call)" if $test->{async};
        $code .= "        (\"$test->{name}\", $call),\n";
    }
    push @functions, "$code    ] as [(String, ($type) -> () throws -> Void)])\n}\nprivate func entry$number() -> XCTestCaseEntry { MainActor.assumeIsolated { makeEntry$number() } }\n";
}
print $file "    return entries\n}\n\n", @functions;
close $file;
close $run;
