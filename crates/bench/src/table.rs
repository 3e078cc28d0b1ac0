/// Rows under headings, columns as wide as their widest cell; columns whose heading ends in a blank are right-aligned.
pub struct Table {
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(headings: &[&str]) -> Table {
        Table {
            headings: headings
                .iter()
                .map(|heading| (*heading).to_owned())
                .collect(),
            rows: Vec::new(),
        }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    pub fn text(&self) -> String {
        let widths: Vec<usize> = self
            .headings
            .iter()
            .enumerate()
            .map(|(column, heading)| {
                let cells = self.rows.iter().filter_map(|row| row.get(column));
                cells
                    .map(|cell| cell.chars().count())
                    .chain([heading.trim_end().chars().count()])
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let line = |cells: &[String]| {
            let mut text = String::new();
            for ((cell, width), heading) in cells.iter().zip(&widths).zip(&self.headings) {
                let cell = cell.trim_end();
                let blanks = " ".repeat(width.saturating_sub(cell.chars().count()));
                if heading.ends_with(' ') {
                    text.push_str(&blanks);
                    text.push_str(cell);
                } else {
                    text.push_str(cell);
                    text.push_str(&blanks);
                }
                text.push_str("  ");
            }
            format!("{}\n", text.trim_end())
        };
        std::iter::once(&self.headings)
            .chain(&self.rows)
            .map(|cells| line(cells))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_numbers_stand_on_the_right() {
        let mut table = Table::new(&["crash", "KB ", "why"]);
        table.row(vec!["a".into(), "7".into(), String::new()]);
        table.row(vec!["longer".into(), "123".into(), "x".into()]);
        assert_eq!(
            table.text(),
            "crash    KB  why\na         7\nlonger  123  x\n"
        );
    }
}
