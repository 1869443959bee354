/// What libFuzzer calls to make a new input of one that it has.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt) -> Int {
    var mutator = NodeMutator(UnsafeMutableBufferPointer(start: start, count: count), seed: UInt64(seed))
    // Bytes changed at random mostly end in the first check; half of the time one node is changed in a way that the
    // next checks have to find.
    return mutator.changeNode() ? count : mutateAtRandom(start, count, capacity)
}

@_silgen_name("LLVMFuzzerMutate")
private func mutateAtRandom(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int) -> Int
