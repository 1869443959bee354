#!/usr/bin/env perl
# Takes what a run has recorded over to the results, and out of the list of what is still to be run.
#   record.pl RECORD ERRORS RESULTS LIST
use strict;
use warnings;
my ($record, $errors, $results, $list) = @ARGV;
my (%state, %why, @order, $running);
open(my $in, '<', $record) or die $!;
while (<$in>) {
    chomp;
    my ($what, $name, $text) = split /\t/, $_, 3;
    if ($what eq 'start') { $running = $name; push @order, $name unless exists $state{$name}; $state{$name} = 'passed' }
    elsif ($what eq 'fail') { $state{$name} = 'failed'; $why{$name} //= $text }
    elsif ($what eq 'end') { undef $running }
    elsif ($what eq 'hang') { $state{$running} = 'hung' if $running }
}
close $in;
if ($running) {
    $state{$running} = 'ended' if $state{$running} ne 'hung';
    open(my $file, '<', $errors);
    my @fatal = grep { /Fatal error|Precondition failed|Could not cast|BUG IN CLIENT|corrupt|Exclusivity/ } <$file>;
    $why{$running} = $fatal[-1] // 'the program ended';
    chomp $why{$running};
}
open(my $out, '>>', $results) or die $!;
print $out join("\t", $state{$_}, $_, $why{$_} // ''), "\n" for @order;
close $out;
open(my $file, '<', $list) or die $!;
my @all = <$file>;
close $file;
my @left = grep { chomp(my $name = $_); !exists $state{$name} } @all;
exit 1 if @left == @all;
open($file, '>', $list) or die $!;
print $file @left;
close $file;
