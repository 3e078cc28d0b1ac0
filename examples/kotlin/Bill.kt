// main: BillKt
// crash: java.lang.IllegalStateException

// A data class, an object, an extension function with a default argument, and an inlined lambda with early return.
data class Item(val name: String, val cents: Int?, val tags: List<String> = emptyList())

object Rates {
    var vat: Map<String, Int> = mapOf("food" to 7, "book" to 5)

    fun of(tag: String): Int = vat[tag] ?: throw IllegalStateException("no rate for $tag") // frame: reproduced
}

fun List<Item>.total(bonus: Int = 0): Int { // frame: reproduced
    var sum = -bonus
    forEach { item ->
        val cents = item.cents ?: return@forEach
        sum += item.tags.sumOf { tag -> cents * Rates.of(tag) / 100 } // frame: reproduced
    }
    return sum
}

fun main() {
    val items = listOf(Item("apple", 120, listOf("food")), Item("gift", null), Item("pen", 300, listOf("tool")))
    println(items.total()) // frame: reproduced
}
