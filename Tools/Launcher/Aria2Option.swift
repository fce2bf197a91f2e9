/// Options of aria2 that may stand in its input files.
enum Aria2Option: String, CaseIterable {
    case out, checksum, header, referer
    case folder = "dir"
    case userAgent = "user-agent"
    case user = "http-user"
    case password = "http-passwd"

    /// Without which something else would be fetched, or on another way; what to do instead.
    static let refused = [
        "all-proxy": "use --proxy", "http-proxy": "use --proxy", "https-proxy": "use --proxy",
        "ftp-proxy": "only http and https are fetched", "no-proxy": "use the variable no_proxy",
        "all-proxy-user": "use --proxy", "all-proxy-passwd": "use --proxy", "http-proxy-user": "use --proxy",
        "http-proxy-passwd": "use --proxy", "https-proxy-user": "use --proxy", "https-proxy-passwd": "use --proxy",
        "dry-run": "use --dry-run", "pause": "use --start-paused", "conditional-get": "use --refresh",
        "hash-check-only": "give a checksum: what is there is checked",
        "parameterized-uri": "write the URLs out", "select-file": "torrents are not fetched",
        "index-out": "torrents are not fetched", "ftp-user": "only http and https are fetched",
        "ftp-passwd": "only http and https are fetched",
    ]

    /// That only say how aria2 goes about it, and what is near them here.
    static let others: [String: Sentence] = {
        var others: [String: Sentence] = [
            "allow-overwrite": "; see --on-exists", "auto-file-renaming": "; see --on-exists",
            "connect-timeout": "; see --connect-timeout", "continue": "; see --resume",
            "always-resume": "; see --resume",
            "lowest-speed-limit": "; see --idle-timeout", "max-connection-per-server": "; see --jobs-per-host",
            "max-download-limit": "; see --limit-rate-per-task", "max-tries": "; see --retries",
            "no-netrc": "; see --netrc", "remote-time": "; see --remote-time", "retry-wait": "; see --retries",
            "timeout": "; see --idle-timeout",
        ]
        for name in plain.split(separator: " ") { others[String(name)] = "" }
        return others
    }()

    private static let plain = """
        allow-piece-length-change async-dns bt-enable-hook-after-hash-check bt-enable-lpd bt-exclude-tracker \
        bt-external-ip bt-force-encryption bt-hash-check-seed bt-load-saved-metadata bt-max-peers bt-metadata-only \
        bt-min-crypto-level bt-prioritize-piece bt-remove-unselected-file bt-request-peer-speed-limit \
        bt-require-crypto bt-save-metadata bt-seed-unverified bt-stop-timeout bt-tracker bt-tracker-connect-timeout \
        bt-tracker-interval bt-tracker-timeout check-integrity content-disposition-default-utf8 enable-async-dns6 \
        enable-http-keep-alive enable-http-pipelining enable-mmap enable-peer-exchange file-allocation \
        follow-metalink follow-torrent force-save ftp-pasv ftp-reuse-connection ftp-type gid http-accept-gzip \
        http-auth-challenge http-no-cache max-file-not-found max-mmap-limit max-resume-failure-tries \
        max-upload-limit metalink-base-uri metalink-enable-unique-protocol metalink-language metalink-location \
        metalink-os metalink-preferred-protocol metalink-version min-split-size no-file-allocation-limit \
        no-want-digest-header piece-length proxy-method realtime-chunk-checksum remove-control-file reuse-uri \
        rpc-save-upload-metadata save-not-found seed-ratio seed-time split ssh-host-key-md stream-piece-selector \
        uri-selector use-head
        """
}
