/// The mutator of libFuzzer, which creates a new input from an existing one.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt) -> Int {
    var mutator = NodeMutator(UnsafeMutableBufferPointer(start: start, count: count), seed: UInt64(seed))
    // Random changes usually fail the first check. Half of the time, one node is changed so that later checks must
    // detect it.
    return mutator.changeNode() ? count : mutateAtRandom(start, count, capacity)
}

@_silgen_name("LLVMFuzzerMutate")
private func mutateAtRandom(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int) -> Int
