/// What has to be known of lists before they are read.
struct ListSource: Sendable {
    var format = ListFormat.auto
    /// Where the files are whose names are given; nil: lists have URLs.
    var base: BaseURL?

    /// Lists that say themselves what they are.
    init() {}

    /// What the settings say.
    init(_ settings: Settings) throws(CommandError) {
        format = settings.word(.inputFormat) ?? format
        guard let setting = settings.last(.baseURL) else { return }
        do {
            base = try BaseURL(setting.value.description)
        } catch {
            throw CommandError(setting.origin, error.message)
        }
    }
}
