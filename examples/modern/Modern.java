// crash: java.lang.IllegalArgumentException

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Records, enums with bodies, lambdas that captured values, and method references, all inside the arguments. */
public class Modern {
    enum Rounding {
        EXACT {
            @Override
            BigDecimal apply(BigDecimal value) {
                if (value.scale() > 2) {
                    throw new IllegalArgumentException(value + " has " + value.scale() + " decimals"); // frame: reproduced
                }
                return value;
            }
        },
        DOWN {
            @Override
            BigDecimal apply(BigDecimal value) {
                return value.setScale(2, java.math.RoundingMode.DOWN);
            }
        };

        abstract BigDecimal apply(BigDecimal value);
    }

    record Line(String item, BigDecimal price, Optional<String> note) {}

    record Invoice(List<Line> lines, Rounding rounding, Function<BigDecimal, BigDecimal> tax, UnaryOperator<String> label) {
        BigDecimal total() {
            BigDecimal sum = BigDecimal.ZERO;
            for (Line line : lines) {
                sum = sum.add(tax.apply(line.price())); // frame: reproduced
            }
            return sum;
        }
    }

    static Function<BigDecimal, BigDecimal> taxOf(BigDecimal rate, Rounding rounding) {
        return price -> rounding.apply(price.add(price.multiply(rate))); // frame: reproduced
    }

    public static void main(String[] args) {
        List<Line> lines = List.of(
                new Line("tea", new BigDecimal("2.50"), Optional.of("green")),
                new Line("cake", new BigDecimal("3.99"), Optional.empty()));
        Rounding rounding = Rounding.EXACT;
        Invoice invoice = new Invoice(lines, rounding, taxOf(new BigDecimal("0.2"), rounding), String::trim);
        System.out.println(invoice.total()); // frame: reproduced
    }
}
