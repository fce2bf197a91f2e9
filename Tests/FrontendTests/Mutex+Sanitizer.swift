#if SANITIZE_THREAD
// See Core/Mutex+Sanitizer.swift.
import WhirlCore

typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
