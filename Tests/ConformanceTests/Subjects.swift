import WhirlConformance
import WhirlCore

#if Curl
import WhirlCurl
#endif
#if URLSession
import WhirlURLSession
#endif

/// The transports of this build.
let subjects = curl + urlSession

#if Curl
private let curl = [TransportSubject(.curl)]
#else
private let curl: [TransportSubject] = []
#endif

#if URLSession
private let urlSession = [TransportSubject(.urlSession)]
#else
private let urlSession: [TransportSubject] = []
#endif
