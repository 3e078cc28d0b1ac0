use std::io::Write;
use std::process::ExitCode;

pub fn api_jar() -> anyhow::Result<ExitCode> {
    let bundle = recrash_bundle::unpack()?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", bundle.api.display())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
