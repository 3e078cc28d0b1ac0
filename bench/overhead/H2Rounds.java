import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/** Argument: rounds. An in-memory H2 database: inserts, a mix of queries, joins, updates, and some SQL errors. */
public final class H2Rounds {
    private static final String[] QUERIES = {
        "select region, count(*), sum(cents) from orders o join customers c on o.customer = c.id group by region order by region",
        "select c.name, max(o.cents) from customers c left join orders o on o.customer = c.id group by c.name order by 2 desc, 1 limit 10",
        "select count(*) from orders where item like '%7%' and cents between 100 and 900",
        "select item, avg(cents) from orders where customer in (select id from customers where region = 'north') group by item order by item",
        "select upper(name) || '-' || length(name), case when id > 100 then 'new' else 'old' end from customers order by name limit 50",
        "with recursive t(n) as (select 1 union all select n + 1 from t where n < 200) select sum(n * n) from t",
    };

    public static void main(String[] args) throws Exception {
        Rounds.run(Integer.parseInt(args[0]), round -> {
            try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:round" + round)) {
                return work(connection);
            }
        });
    }

    private static long work(Connection connection) throws SQLException {
        Random random = new Random(42);
        long sum = 0;
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table customers(id int primary key, name varchar(40), region varchar(10))");
            statement.execute("create table orders(id int primary key, customer int, item varchar(20), cents int)");
            statement.execute("create index by_customer on orders(customer)");
        }
        String[] regions = {"north", "south", "east", "west"};
        try (PreparedStatement insert = connection.prepareStatement("insert into customers values(?, ?, ?)")) {
            for (int id = 0; id < 600; id++) {
                insert.setInt(1, id);
                insert.setString(2, "customer " + random.nextInt(10_000));
                insert.setString(3, regions[random.nextInt(regions.length)]);
                sum += insert.executeUpdate();
            }
        }
        try (PreparedStatement insert = connection.prepareStatement("insert into orders values(?, ?, ?, ?)")) {
            for (int id = 0; id < 4_200; id++) {
                insert.setInt(1, id);
                insert.setInt(2, random.nextInt(600));
                insert.setString(3, "item " + random.nextInt(80));
                insert.setInt(4, random.nextInt(1_000));
                sum += insert.executeUpdate();
            }
        }
        for (int pass = 0; pass < 2; pass++) {
            for (String query : QUERIES) {
                try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(query)) {
                    while (result.next()) {
                        sum = sum * 31 + String.valueOf(result.getObject(1)).hashCode();
                    }
                }
            }
        }
        String join = "select sum(o.cents) from orders o join customers c on o.customer = c.id where c.id = ?";
        try (PreparedStatement query = connection.prepareStatement(join);
                PreparedStatement update = connection.prepareStatement("update orders set cents = cents + 1 where customer = ?")) {
            for (int i = 0; i < 300; i++) {
                int customer = random.nextInt(600);
                query.setInt(1, customer);
                try (ResultSet result = query.executeQuery()) {
                    result.next();
                    sum += result.getLong(1);
                }
                update.setInt(1, customer);
                sum += update.executeUpdate();
            }
        }
        for (int i = 0; i < 60; i++) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(i % 2 == 0 ? "select nothing from nowhere" + i : "insert into customers values(" + i + ", 'twice', 'x')");
            } catch (SQLException e) {
                sum += e.getErrorCode();
            }
        }
        return sum;
    }
}
