#if SANITIZE_THREAD
// See Core/Mutex+Sanitizer.swift: the tests' own locks have to be seen by the sanitizer too.
@testable import WhirlCore

typealias Mutex<Value: ~Copyable> = WhirlCore.Mutex<Value>
#endif
