// Reads the report of `npm audit --json`.

/** From this severity on, a known vulnerability stops a release. */
const STOPPING = ['high', 'critical'];

/** Returns a sentence for each vulnerability that stops a release, and one when the registry gave no report. */
export function findAuditFaults(output) {
  let report;
  try {
    report = JSON.parse(output);
  } catch {
    report = {};
  }
  if (!report.metadata?.vulnerabilities) {
    const reason = report.message ?? report.error?.summary ?? 'npm printed no report';
    return [`the registry could not be asked for known vulnerabilities (${reason}). Try again with a network.`];
  }
  return Object.values(report.vulnerabilities ?? {})
    .filter(({ severity }) => STOPPING.includes(severity))
    .map(({ name, severity, range }) => `${name} ${range} has a known vulnerability (${severity})`);
}
