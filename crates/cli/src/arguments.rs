//! What can be typed. Meaning is given to it in `commands/`.

use clap::{Args, Parser, Subcommand, ValueEnum};
use recrash_weave::Strategy;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

const AFTER_HELP: &str = "\
Examples:
  recrash run -- java -jar app.jar             run a program; a crash becomes tests in recrash-out/
  recrash run --label 1.4.2 -- ./gradlew run   any command that ends up starting a JVM
  recrash show recrash-out/*.recrash           what was captured
  recrash tests X.recrash --classpath app.jar  make the tests elsewhere, later
  recrash shrink X.recrash                     the same crash with less state
  recrash instrument app.jar -o monitored.jar  for machines without recrash

Exit status:
  run    that of the program; 126 it cannot be started, 127 it was not found
         (ended by signal n, recrash ends the same way, which shells show as 128+n)
  other  0 done, 1 bad usage or bad input, 3 nothing could be reproduced, 70 a defect of recrash";

/// Turns JVM crashes into unit tests that reproduce them.
#[derive(Debug, Parser)]
#[command(name = "recrash", version, after_help = AFTER_HELP, max_term_width = 100)]
#[command(disable_help_subcommand = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Run(RunArguments),
    Tests(TestsArguments),
    Show(ShowArguments),
    Synth(SynthArguments),
    Shrink(ShrinkArguments),
    Minimize(MinimizeArguments),
    Redact(RedactArguments),
    Instrument(InstrumentArguments),
    Analyze(AnalyzeArguments),
    Doctor(DoctorArguments),
    AgentPath(AgentPathArguments),
    #[command(subcommand)]
    Watch(WatchCommand),
    /// Print the path of the jar with `recrash.Recrash`, for programs with capture points
    #[command(after_help = API_JAR_HELP)]
    ApiJar,
    Maven(MavenArguments),
    Completions(CompletionsArguments),
    Man(ManArguments),
}

const RUN_HELP: &str = "\
Examples:
  recrash run -- java -jar app.jar --port 8080
  recrash run --include 'com.acme.*' --label 1.4.2 -- mvn test
  recrash run --no-tests --out crashes -- ./start.sh
  recrash run --second-chance -- java -jar server.jar
  recrash run --on 'com.acme.*' -- java -jar server.jar

When COMMAND is java itself, the agent is inserted as its first argument. Anything else gets it
through JAVA_TOOL_OPTIONS, which every JVM below it reads (and mentions on its standard error).";

/// Run a program; when it crashes, capture the crash and make tests of it
#[derive(Debug, Args)]
#[command(after_help = RUN_HELP)]
pub struct RunArguments {
    /// Folder for snapshots and tests
    #[arg(long, value_name = "FOLDER", default_value = "recrash-out")]
    pub out: PathBuf,
    #[command(flatten)]
    pub capture: CaptureArguments,
    #[command(flatten)]
    pub record: RecordArguments,
    /// Before the program starts, find out what its methods change, as `recrash analyze` does, so that more is kept of it;
    /// only where COMMAND is java itself
    #[arg(long)]
    pub analyze: bool,
    /// Only capture; `recrash tests` makes the tests later
    #[arg(long)]
    pub no_tests: bool,
    #[command(flatten)]
    pub generation: GenerationArguments,
    #[command(flatten)]
    pub report: ReportArguments,
    /// The command that starts the program, and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// What the agent watches and how much it keeps.
#[derive(Debug, Args)]
pub struct CaptureArguments {
    /// Watch only classes (`com.acme.*`) or methods (`com.acme.Order#get*`) like this; may be given several times
    #[arg(long, value_name = "GLOB")]
    pub include: Vec<String>,
    /// Leave classes or methods like this alone; may be given several times
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Which failures count, apart by commas: uncaught, logged (given to a logger as an error), futures (stored in one),
    /// web (a request was answered with 500 or more), tests (a test failed by it), printed (its stack trace was), dropped (an
    /// operator, a pipeline, an actor or an event thread had nobody to tell), exit (caught soon before the program ended with
    /// a status other than 0). All of them unless given; with --second-chance uncaught ones
    #[arg(
        long,
        value_name = "KINDS",
        value_delimiter = ',',
        hide_possible_values = true
    )]
    pub failures: Vec<Failure>,
    /// Capture exceptions even if they are caught: by type, `java.lang.IllegalStateException`, or by the method or package
    /// they come from, `com.acme.Order#total`, `com.acme.*`; may be given several times
    #[arg(long, value_name = "TYPE-OR-GLOB")]
    pub on: Vec<String>,
    /// Watch nothing until something fails, then the methods of its stack trace; they are kept in LIST, a text file that
    /// processes may share (recrash-watch.txt unless given)
    #[arg(long, value_name = "LIST", num_args = 0..=1, default_missing_value = WATCH_LIST)]
    pub second_chance: Option<PathBuf>,
    /// How arguments are kept as they were on entry: reference, auto, shallow, depth=N, deep (the last three also with
    /// +used-fields), undo or undo+hot
    #[arg(long, value_name = "STRATEGY", default_value_t = Strategy::default())]
    pub strategy: Strategy,
    /// Your own version identifier; it appears in snapshots and tests
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,
    /// Capture a failure again although the same one was captured in this run
    #[arg(long)]
    pub repeat: bool,
    /// Objects in a snapshot at most
    #[arg(long, value_name = "N")]
    pub max_objects: Option<u32>,
    /// Bytes of objects in a snapshot at most
    #[arg(long, value_name = "N")]
    pub max_bytes: Option<u64>,
    /// Milliseconds a capture may take
    #[arg(long, value_name = "N")]
    pub max_millis: Option<u32>,
    /// Bytes that all snapshots in the folder may take together, 0 for any number; the oldest of the commonest failure goes
    /// first (1 GiB unless given)
    #[arg(long, value_name = "N")]
    pub max_disk: Option<u64>,
    /// Rules for what must not leave the program, one per line, as `mask field password` or `hash type com.acme.Customer`;
    /// those that recrash brings count behind them (see docs/privacy.md)
    #[arg(long, value_name = "RULES", conflicts_with = "no_privacy")]
    pub privacy: Option<PathBuf>,
    /// Withhold nothing: passwords, keys and personal data stay in the snapshots
    #[arg(long)]
    pub no_privacy: bool,
    /// Say what is done and what is left out
    #[arg(long, short)]
    pub verbose: bool,
}

/// What is recorded of a run.
#[derive(Debug, Args)]
pub struct RecordArguments {
    /// Keep what the main class, or a test, does to the code it uses, in FOLDER/X.recording (see docs/recording.md); with GLOB
    /// what all other classes do to those like this, `com.acme.cart.*`; may be given several times
    #[arg(long, value_name = "GLOB", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub record: Option<Vec<String>>,
    /// Bytes of a recording at most (1 GiB unless given)
    #[arg(long, value_name = "N", requires = "record")]
    pub max_record: Option<u64>,
}

/// A kind of failure, as the agent knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Failure {
    Uncaught,
    Logged,
    Futures,
    Web,
    Tests,
    Printed,
    Dropped,
    Exit,
}

/// How tests are made.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option that can be typed"
)]
#[derive(Debug, Args)]
pub struct GenerationArguments {
    /// Version of JUnit, or TestNG; 5 unless given, or TestNG where the program has that and no JUnit 5
    #[arg(long, value_name = "4|5|testng", value_parser = ["4", "5", "testng"], hide_possible_values = true)]
    pub junit: Option<String>,
    /// Package of the tests; that of the crashing class unless given
    #[arg(long, value_name = "PACKAGE")]
    pub package: Option<String>,
    /// Tests pass while the bug exists and fail once it is fixed
    #[arg(long)]
    pub expect_crash: bool,
    /// Only tests in source alone, without snapshot and recrash-junit.jar; says what stands in the way of the others
    #[arg(long)]
    pub self_contained: bool,
    /// Also try frames of frameworks around the application's own, which are left out where one of those reproduces
    #[arg(long)]
    pub all_frames: bool,
    /// Tests from what was captured alone: where that is not enough for a frame, a frame around it is not run again to see
    /// more
    #[arg(long)]
    pub no_second_look: bool,
    #[command(flatten)]
    pub desk: DeskArguments,
}

/// What a crash is tried with again.
#[derive(Debug, Args)]
pub struct DeskArguments {
    /// Class path of the program; the recorded one unless given
    #[arg(long, value_name = "PATH", visible_alias = "cp")]
    pub classpath: Option<String>,
    /// JDK to verify with; the recorded one unless given
    #[arg(long, value_name = "FOLDER")]
    pub jdk: Option<PathBuf>,
    /// Seconds a candidate may take
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub timeout: Duration,
}

/// How what became of the tests is told.
#[derive(Debug, Args)]
pub struct ReportArguments {
    /// What is told about the tests, and how: text, json, github (annotations of a workflow), sarif, junit (XML, a failure
    /// per frame that reproduces)
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        hide_possible_values = true
    )]
    pub format: Format,
    /// Write that to FILE, and text as usual
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Folder with the program's source, to name files and lines in reports; may be given several times
    #[arg(long, value_name = "FOLDER")]
    pub sources: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
    Github,
    Sarif,
    Junit,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| format!("`{text}` is not a number of seconds"))?;
    if !(0.01..=86_400.0).contains(&seconds) {
        return Err("the time must lie between 0.01 seconds and a day".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

const TESTS_HELP: &str = "\
Examples:
  recrash tests recrash-out/NullPointerException-1a2b3c4d5e6f7081-77.recrash
  recrash tests X.recrash --classpath 'build/classes:lib/*' --jdk /opt/jdk-25
  recrash tests X.recrash --junit 4 --package com.acme.crashes --expect-crash
  recrash tests target/recrash/*.recrash --format sarif --report crashes.sarif --sources src/main/java";

/// Make verified JUnit tests of snapshots
#[derive(Debug, Args)]
#[command(after_help = TESTS_HELP)]
pub struct TestsArguments {
    /// Snapshots, or recordings
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Folder that gets the folder of tests; that of the snapshot unless given
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub generation: GenerationArguments,
    #[command(flatten)]
    pub report: ReportArguments,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

const SHOW_HELP: &str = "\
Examples:
  recrash show X.recrash
  recrash show X.recrash --frame 2 --depth 6
  recrash show X.recrash --frame 2 --path 'receiver.items[3]'
  recrash show X.recrash --html crash.html --sources src/main/java
  recrash show X.recrash --json | jq .manifest.frames

A path begins with receiver, the name of an argument, or #N for the object with that number. Verdicts
and tests are those that `recrash tests` left beside the snapshot, unless --tests names others.";

/// Show a snapshot: exception, thread, frames with receiver and arguments
#[derive(Debug, Args)]
#[command(after_help = SHOW_HELP)]
pub struct ShowArguments {
    /// Snapshots
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Only this frame; with --html, the one that is chosen at first
    #[arg(long, value_name = "N")]
    pub frame: Option<usize>,
    /// Only the value at this path, as the frame (the innermost unless given) saw it on entry
    #[arg(long, value_name = "PATH", conflicts_with_all = ["json", "html", "verbose"])]
    pub path: Option<String>,
    /// Levels of objects below a value
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub depth: usize,
    /// Everything: all static fields, unwoven classes, system properties
    #[arg(long, short)]
    pub verbose: bool,
    /// Print the manifest and every object as JSON
    #[arg(long, conflicts_with_all = ["frame", "verbose", "html"])]
    pub json: bool,
    /// Only what was redacted, by which rule and where
    #[arg(long, conflicts_with_all = ["frame", "verbose", "json", "html", "path"])]
    pub redactions: bool,
    /// Write one HTML page that needs no network: frames, verdicts, objects, tests, source
    #[arg(long, value_name = "OUT", conflicts_with = "verbose")]
    pub html: Option<PathBuf>,
    /// Folder of tests that `recrash tests` made of the snapshot; the one beside it unless given
    #[arg(long, value_name = "FOLDER", conflicts_with = "json")]
    pub tests: Option<PathBuf>,
    /// Folder with the program's source, to show the lines of the stack; may be given several times
    #[arg(long, value_name = "FOLDER", conflicts_with = "json")]
    pub sources: Vec<PathBuf>,
}

const SHRINK_HELP: &str = "\
Examples:
  recrash shrink X.recrash                     X-shrunk.recrash: less state, the same crash
  recrash shrink X.recrash --frame 2 -o small.recrash
  recrash shrink X.recrash --limit 30          the best of half a minute
  recrash shrink X.recrash --resume            go on where the last one was ended

Ctrl-C ends it early: the best state so far is verified and written, and --resume goes on from there.";

/// Take state out of a snapshot as long as the crash stays the same
#[derive(Debug, Args)]
#[command(after_help = SHRINK_HELP)]
pub struct ShrinkArguments {
    /// Snapshot
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The smaller snapshot; the name of FILE with -shrunk unless given
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Keep only this frame, which gives the smallest state; what was captured of the others goes
    #[arg(long, value_name = "N")]
    pub frame: Option<usize>,
    /// Which frames go on reproducing the crash: all that do now, unless --frame names one
    #[arg(long, value_name = "all", value_parser = ["all"], hide_possible_values = true, conflicts_with = "frame")]
    pub frames: Option<String>,
    /// Seconds it may take; the best state so far is written then
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds)]
    pub limit: Duration,
    /// Go on where an earlier run with the same OUT was ended
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    pub desk: DeskArguments,
    /// Print what was done as JSON
    #[arg(long)]
    pub json: bool,
}

const REDACT_HELP: &str = "\
Examples:
  recrash redact X.recrash                             by the rules that recrash brings
  recrash redact X.recrash -o clean.recrash --privacy rules.txt
  recrash redact X.recrash --equivalent                with other values for which the crash remains
  recrash show X.recrash --redactions                  what was redacted

Afterwards every frame that reproduced the crash is tried again; those that no longer do are listed.";

/// Take private data out of a snapshot, and tell which frames still reproduce the crash
#[derive(Debug, Args)]
#[command(after_help = REDACT_HELP)]
pub struct RedactArguments {
    /// Snapshot
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The redacted snapshot; it replaces FILE unless given
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Rules, one per line, as `mask field password`; those that recrash brings count behind them
    #[arg(long, value_name = "RULES")]
    pub privacy: Option<PathBuf>,
    /// Where the crash does not survive, put other values of the same shape in place of the redacted ones until it does
    #[arg(long)]
    pub equivalent: bool,
    #[command(flatten)]
    pub desk: DeskArguments,
}

const INSTRUMENT_HELP: &str = "\
Examples:
  recrash instrument app.jar -o app-monitored.jar    then: java -jar app-monitored.jar
  recrash instrument --out /var/crashes shop.war -o shop-monitored.war
  recrash instrument --exclude 'com.acme.hot.*' build/classes -o build/monitored

The result runs like the original, with plain `java`; its crashes become snapshots. RECRASH_OPTIONS
in its environment (or -Drecrash.options) overrides what is set here, in the form of the agent's
options: out=FOLDER,label=TEXT. The value `off` leaves the program unwatched.";

/// Put recrash into a jar, WAR or folder, which then captures its own crashes
#[derive(Debug, Args)]
#[command(after_help = INSTRUMENT_HELP)]
pub struct InstrumentArguments {
    /// Jar, WAR or folder
    #[arg(value_name = "PROGRAM")]
    pub input: PathBuf,
    /// The instrumented program: a file, or for a folder a new folder
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Folder for snapshots, where the program runs
    #[arg(long, value_name = "FOLDER", default_value = "recrash-out")]
    pub out: PathBuf,
    #[command(flatten)]
    pub capture: CaptureArguments,
}

const ANALYZE_HELP: &str = "\
Examples:
  recrash analyze app.jar
  recrash analyze build/classes lib/a.jar lib/b.jar --jdk /opt/jdk-25
  recrash analyze app.war --json | jq .application

Jars, folders of classes, WARs and Spring Boot jars are read, and what their manifests name. The
results are kept in RECRASH_CACHE, or recrash/effects in the user's cache folder, until a jar changes.";

/// Find out which fields each method may change, with all it calls, and keep it for later runs
#[derive(Debug, Args)]
#[command(after_help = ANALYZE_HELP)]
pub struct AnalyzeArguments {
    /// Jars and folders of the program, in the order of its class path
    #[arg(value_name = "APP", required = true)]
    pub entries: Vec<PathBuf>,
    /// JDK the program runs on; the first one found unless given
    #[arg(long, value_name = "FOLDER")]
    pub jdk: Option<PathBuf>,
    /// Print the figures as JSON
    #[arg(long)]
    pub json: bool,
}

const SYNTH_HELP: &str = "\
Examples:
  recrash synth trace.txt --classpath 'app.jar:lib/*'
  recrash synth server.log --classpath target/classes --budget 300
  pbpaste | recrash synth - --classpath app.jar

The class path has to be of the version that printed the trace: a frame whose line does not exist
in it is told, and nothing is searched for. Programs that are tried may not write files, open
sockets or end the JVM. Ctrl-C ends the search and gives what was found so far.";

/// Make a test of a stack trace alone: search for calls that crash in the same place
#[derive(Debug, Args)]
#[command(after_help = SYNTH_HELP)]
pub struct SynthArguments {
    /// A text with stack traces; - is standard input
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// The program's jars and folders, as for java
    #[arg(long, short = 'c', visible_alias = "cp", value_name = "PATH")]
    pub classpath: String,
    /// Folder for tests
    #[arg(long, value_name = "FOLDER", default_value = "recrash-out")]
    pub out: PathBuf,
    /// Seconds for each trace
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub budget: u64,
    /// Traces to try at the same time; as many as there are cores unless given
    #[arg(long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,
    /// Searches for each trace at the same time; the cores that --jobs leaves unless given
    #[arg(long, value_name = "N")]
    pub threads: Option<std::num::NonZeroUsize>,
    /// Another number tries other programs; with --threads 1 the same number gives the same test
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// A snapshot of the same program to take states, texts and numbers from; may be repeated
    #[arg(long, value_name = "FILE")]
    pub snapshot: Vec<PathBuf>,
    /// A jar or folder of classes that use the program, such as its tests: their texts and numbers are tried; may be repeated
    #[arg(long, value_name = "PATH")]
    pub seeds: Vec<PathBuf>,
    /// Set fields that no call sets, and call hidden methods and constructors of the trace, by reflection; marked in the test
    #[arg(long)]
    pub allow_reflection: bool,
    /// JDK to try programs on; 17 to 23 can keep them from the network and from files
    #[arg(long, value_name = "FOLDER")]
    pub jdk: Option<PathBuf>,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
}

/// Find JDKs and try the agent in each
#[derive(Debug, Args)]
pub struct DoctorArguments {
    /// Try only the JDK in this folder
    #[arg(long, value_name = "FOLDER")]
    pub jdk: Option<PathBuf>,
}

const AGENT_PATH_HELP: &str = "\
Examples:
  java $(recrash agent-path) -jar app.jar
  JAVA_TOOL_OPTIONS=\"$(recrash agent-path --out /var/crashes)\" ./service.sh
  recrash agent-path --library";

/// Print the JVM option that loads the agent, for programs that cannot be started by `recrash run`
#[derive(Debug, Args)]
#[command(after_help = AGENT_PATH_HELP)]
pub struct AgentPathArguments {
    /// Print only the path of the library
    #[arg(long)]
    pub library: bool,
    /// Folder for snapshots
    #[arg(long, value_name = "FOLDER", default_value = "recrash-out")]
    pub out: PathBuf,
    #[command(flatten)]
    pub capture: CaptureArguments,
}

/// The list unless another is named.
const WATCH_LIST: &str = "recrash-watch.txt";

const WATCH_HELP: &str = "\
Examples:
  recrash watch add trace.txt                        a stack trace from a bug report
  journalctl -u shop | recrash watch add - shop.txt  from standard input, to another list
  recrash watch list
  recrash watch remove 'com.acme.Order.*'

Programs that run with `--second-chance LIST` pick up the changes.";

/// Look after the list of methods that `--second-chance` watches
#[derive(Debug, Subcommand)]
#[command(after_help = WATCH_HELP, disable_help_subcommand = true)]
pub enum WatchCommand {
    /// Add the methods of a printed stack trace
    Add {
        /// File with the stack trace, alone or among other lines; - for standard input
        #[arg(value_name = "TRACE")]
        trace: PathBuf,
        #[arg(value_name = "LIST", default_value = WATCH_LIST)]
        list: PathBuf,
    },
    /// Print the methods on the list
    List {
        #[arg(value_name = "LIST", default_value = WATCH_LIST)]
        list: PathBuf,
    },
    /// Take methods off the list
    Remove {
        /// com.acme.Order.total; a * at its end stands for anything
        #[arg(value_name = "METHOD")]
        method: String,
        #[arg(value_name = "LIST", default_value = WATCH_LIST)]
        list: PathBuf,
    },
}

const API_JAR_HELP: &str = "\
Examples:
  javac -cp $(recrash api-jar) Order.java      Recrash.capture(\"total differs\") inside
  cp $(recrash api-jar) lib/                   it has no dependencies, and does nothing without recrash";

const COMPLETIONS_HELP: &str = "\
Examples:
  recrash completions bash > /etc/bash_completion.d/recrash
  recrash completions zsh > \"${fpath[1]}/_recrash\"
  recrash completions fish > ~/.config/fish/completions/recrash.fish";

const MAVEN_HELP: &str = "\
Examples:
  recrash maven                                into the repository of this machine, ~/.m2/repository
  recrash maven --repository build/repository  anywhere else; Gradle reads such a folder, too

Then, in a pom.xml, io.github.recrash:recrash-maven-plugin has the goals `prepare`, which lets the test
phase run under recrash, and `tests`, which makes tests of what failed in it.";

/// Put the Maven plugin and the jars that tests need into a Maven repository
#[derive(Debug, Args)]
#[command(after_help = MAVEN_HELP)]
pub struct MavenArguments {
    /// Folder of the repository; ~/.m2/repository unless given
    #[arg(long, value_name = "FOLDER")]
    pub repository: Option<PathBuf>,
}

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_HELP)]
pub struct CompletionsArguments {
    #[arg(value_enum)]
    pub shell: Shell,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}

const MAN_HELP: &str = "\
Examples:
  recrash man | man -l -
  recrash man watch add | man -l -
  recrash man --output /usr/local/share/man/man1";

/// Print a manual page
#[derive(Debug, Args)]
#[command(after_help = MAN_HELP)]
pub struct ManArguments {
    /// The command the page is about; recrash itself unless given
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    pub command: Vec<String>,
    /// Write the pages of all commands into this folder
    #[arg(long, short, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}

const MINIMIZE_HELP: &str = "\
Examples:
  recrash minimize -- java -cp app.jar com.acme.Nightly
  recrash minimize --budget 60 -- java -jar app.jar import 2024-05

The main class drives, all other classes of the class path are driven. What is left of its calls is a JUnit 5 test; if
its own check found a wrong value, the test asserts that value.

Exit status: 0 there is a test, 3 there is none";

/// Reduce one long failing run to a few calls that fail in the same way
#[derive(Debug, Args)]
#[command(after_help = MINIMIZE_HELP)]
pub struct MinimizeArguments {
    /// Folder for the test
    #[arg(long, value_name = "FOLDER", default_value = "recrash-out")]
    pub out: PathBuf,
    /// Seconds for all of it
    #[arg(long, value_name = "SECONDS", default_value_t = 240)]
    pub budget: u64,
    /// Seconds for a run of the whole program
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub timeout: u64,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// The java command that fails, with its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}
