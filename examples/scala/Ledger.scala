// main: Ledger
// crash: java.util.NoSuchElementException

// Case classes, an immutable map, a lazy value, a closure and a partial function.
case class Entry(account: String, cents: Int)

class Book(entries: List[Entry], names: Map[String, String]) {
  lazy val accounts: Map[String, Int] = entries.groupBy(_.account).map { case (account, of) => account -> of.map(_.cents).sum }

  def line(account: String): String = {
    val sum = accounts(account)
    names(account) + ": " + sum // frame: reproduced
  }

  def report(): String = {
    val lines = entries.map(_.account).distinct.sorted.map(line) // frame: reproduced
    lines.mkString("\n")
  }
}

object Ledger {
  def main(args: Array[String]): Unit = {
    val book = new Book(List(Entry("1000", 250), Entry("1200", -50), Entry("1000", 1)), Map("1000" -> "cash"))
    println(book.report()) // frame: reproduced
  }
}
