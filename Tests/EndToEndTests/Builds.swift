/// The transports that this build of the command has.
let transports: [String] = {
    var names: [String] = []
    #if Curl
    names.append("curl")
    #endif
    #if URLSession
    names.append("urlsession")
    #endif
    return names
}()
