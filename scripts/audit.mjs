// Reads the report of `npm audit --json`.

/** From this severity on, a known vulnerability stops a release. */
const STOPPING = ['high', 'critical'];

/** Returns a sentence for each vulnerability that stops a release, and one when the registry gave no report. */
export function findAuditFaults(output) {
  const report = parse(output);
  if (!report.metadata?.vulnerabilities) {
    const reason = report.message || report.error?.summary || 'npm printed no report';
    const remedy = report.statusCode
      ? 'This registry refuses "npm audit": try again, or set npm_config_registry to one that answers.'
      : 'Try again with a network.';
    return [`the registry could not be asked for known vulnerabilities (${reason}). ${remedy}`];
  }
  return Object.values(report.vulnerabilities ?? {})
    .filter(({ severity }) => STOPPING.includes(severity))
    .map(({ name, severity, range }) => `${name} ${range} has a known vulnerability (${severity})`);
}

function parse(output) {
  try {
    return JSON.parse(output) ?? {};
  } catch {
    return {};
  }
}
