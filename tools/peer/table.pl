#!/usr/bin/env perl
# Prints the table of what became of the tests of each file.
#   table.pl SCRATCH RULES
# Ends with 1 where a test fails, or does not compile, for which the rules have no reason.
use strict;
use warnings;
my ($scratch, $rules) = @ARGV;
my (%known, %because, @unknown);
open(my $list, '<', $rules) or die $!;
while (<$list>) { chomp; my ($what, $name, $text) = split /\t/; $known{$name} = $text if $what eq 'fails' }
close $list;
# The name without the types that a test is for.
sub explain {
    my ($name) = @_;
    $name =~ s/<.*>//;
    if (my $text = $known{$name}) { $because{$text}++ } else { push @unknown, $name }
}
my (%file_of, %row, %reason, @names, %total);
open(my $in, '<', "$scratch/classes.tsv") or die $!;
while (<$in>) { chomp; my ($class, $file) = split /\t/; $file_of{$class} = $file }
close $in;
open($in, '<', "$scratch/tests.tsv") or die $!;
while (<$in>) {
    chomp;
    my ($file, $class, $test, $state) = split /\t/, $_, 4;
    $row{$file} //= {passed => 0, failed => 0, uncompiled => 0, out => 0};
    if ($state eq '-') { $row{$file}{uncompiled}++; explain("$class.$test") }
    elsif ($state ne '') { $row{$file}{out}++; $reason{$state}++ }
}
close $in;
open(my $why, '>', "$scratch/failures.txt") or die $!;
open($in, '<', "$scratch/results.tsv") or die $!;
while (<$in>) {
    chomp;
    my ($state, $name, $text) = split /\t/, $_, 3;
    my ($class) = $name =~ /^(\w+)/;
    my $file = $file_of{$class} // 'other';
    $row{$file}{$state eq 'passed' ? 'passed' : 'failed'}++;
    next if $state eq 'passed';
    print $why "$name: $state: $text\n";
    explain($name);
}
close $in;
close $why;
my $line = "%-34s %7s %7s %7s %12s %9s %8s\n";
printf $line, 'file', 'tests', 'passed', 'failed', 'no compiling', 'left out', 'of those';
for my $file (sort keys %row) {
    my %r = map { $_ => $row{$file}{$_} // 0 } qw(passed failed uncompiled out);
    my $meant = $r{passed} + $r{failed} + $r{uncompiled};
    $total{$_} += $r{$_} for keys %r;
    printf $line, $file, $meant + $r{out}, $r{passed}, $r{failed}, $r{uncompiled}, $r{out},
        $meant ? sprintf('%.1f %%', 100 * $r{passed} / $meant) : '-';
}
my $meant = $total{passed} + $total{failed} + $total{uncompiled};
printf $line, 'all', $meant + $total{out}, @total{qw(passed failed uncompiled out)},
    $meant ? sprintf('%.1f %%', 100 * $total{passed} / $meant) : '-';
print "\nleft out because\n" if %reason;
printf "%5d  %s\n", $reason{$_}, $_ for sort { $reason{$b} <=> $reason{$a} } keys %reason;
print "\nfailed because\n" if %because;
printf "%5d  %s\n", $because{$_}, $_ for sort { $because{$b} <=> $because{$a} || $a cmp $b } keys %because;
print "\nfailed for no reason that is known: $_" for @unknown;
print "\n" if @unknown;
exit(@unknown ? 1 : 0);
