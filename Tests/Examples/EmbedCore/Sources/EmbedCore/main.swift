import WhirlCore

// One indicator follows a task by one call, forgets it for another, and is let go.
let first = CopyTask(blocks: 4)
let second = CopyTask(blocks: 2)
var indicator: TextIndicator? = TextIndicator("spinner")

indicator?.setAnimating(withStateOf: first)
first.resume()
first.step()
first.suspend()
first.resume()

indicator?.setAnimating(withStateOf: second)
first.step()  // not shown: the indicator follows the second one now
second.resume()
second.step()
second.step()

indicator = nil
first.cancel()

for await update in first.life.updates {
    writeLine("first: \(update.snapshot.state), \(update.snapshot.progress.received) blocks")
}
