import WhirlConformance
import WhirlCore

#if Curl
import WhirlCurl
#endif
#if URLSession
import WhirlURLSession
#endif

/// The transports of this build.
let subjects: [TransportSubject] = {
    var all: [TransportSubject] = []
    #if Curl
    all.append(TransportSubject(.curl))
    #endif
    #if URLSession
    all.append(TransportSubject(.urlSession))
    #endif
    return all
}()
