/// Why nothing could be solved.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(
        "the solver {program} could not be started ({reason}); install Z3 (Debian: apt-get install z3), or name it in RECRASH_Z3"
    )]
    NoSolver { program: String, reason: String },
    #[error("the solver {program} ended again and again; the last it was asked took it down")]
    SolverDies { program: String },
    #[error("the solver does not understand: {0}")]
    Solver(String),
    #[error(transparent)]
    Program(#[from] recrash_program::Error),
}

pub type Result<T> = std::result::Result<T, Error>;
