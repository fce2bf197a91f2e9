/// What is made of recorded streams.
extension OptionTable {
    static let reports = [
        CommandOption(
            .summary, sources: [], verbs: [.report], group: .reports, isRare: true,
            help: "how the runs went, for people (the default)", example: "whirl report --summary run.jsonl"),
        CommandOption(
            .har, sources: [], verbs: [.report], group: .reports, isRare: true,
            help: "each exchange and its timings as HAR 1.2", example: "whirl report --har run.jsonl > run.har"),
        CommandOption(
            .metrics, sources: [], verbs: [.report], group: .reports, isRare: true,
            help: "sums in the text format of Prometheus", example: "whirl report --metrics shard-*.jsonl"),
    ]
}
