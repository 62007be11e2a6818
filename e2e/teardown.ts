import { rmSync } from 'node:fs';

/** Takes away the data folder that playwright.config.ts made. */
export default function teardown(): void {
  const folder = process.env.E2E_DATA_DIR;
  if (folder?.includes('markwright-e2e-')) rmSync(folder, { recursive: true, force: true });
}
