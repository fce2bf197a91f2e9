import Testing
import WhirlSession

@testable import WhirlLauncher

@Suite("A shard")
struct ShardTests {
    @Test("is the K-th of N, and anything else is refused")
    func words() throws {
        let shard = try Shard("2/8")
        #expect(shard.number == 2 && shard.count == 8 && shard.text == "2/8")
        for (text, sentence) in [
            ("0/8", "'0/8' is no part; there are 1/8 to 8/8"), ("9/8", "'9/8' is no part; there are 1/8 to 8/8"),
            ("1", "'1' is not K/N, such as 2/8: the second of eight parts"),
            ("1/0", "'1/0' is not K/N, such as 2/8: the second of eight parts"),
            ("1/2/3", "'1/2/3' is not K/N, such as 2/8: the second of eight parts"),
            ("-1/2", "'-1/2' is not K/N, such as 2/8: the second of eight parts"),
        ] {
            #expect(Samples.complaint { () throws(CommandError) in try Shard(text) } == sentence)
        }
    }

    @Test("is chosen by the URL alone, without credentials and fragment, the same in every version")
    func stable() {
        // The first is `printf %s http://h/a | sha256sum`: c43fa283946b8145, modulo 1000.
        let urls = ["http://h/a", "http://h/b", "http://h/c?x=@y", "https://[::1]:8080/"]
        #expect(urls.map { TransferRequest($0).shard(of: 1000) } == [685, 390, 188, 951])
        for same in ["http://me:pass@h/a", "http://h/a#part", "http://me:p@ss@h/a#@"] {
            #expect(TransferRequest(same).shard(of: 1000) == TransferRequest("http://h/a").shard(of: 1000))
        }
    }

    @Test("is one of a partition: each request is in exactly one, and none has far more than its part")
    func partition() throws {
        for count in [1, 2, 4, 7] {
            let shards = try (1...count).map { number throws(CommandError) in try Shard("\(number)/\(count)") }
            var sizes = [Int](repeating: 0, count: count)
            for number in 0..<2000 {
                let request = TransferRequest("http://h/file-\(number).bin")
                let holders = shards.indices.filter { shards[$0].has(request) }
                #expect(holders.count == 1)
                sizes[holders[0]] += 1
            }
            #expect(sizes.allSatisfy { abs($0 - 2000 / count) < 400 / count + 100 })
        }
    }
}
