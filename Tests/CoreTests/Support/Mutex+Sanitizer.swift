#if SANITIZE_THREAD
// See Core/Mutex+Sanitizer.swift: the tests' own locks have to be seen by the sanitizer too.
import WhirlCore

typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
