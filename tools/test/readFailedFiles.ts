import { readFileSync } from 'node:fs'

/**
 * Test files with a failure, from the report that vitest's `json` reporter wrote.
 * @param path of the report; without one, as after a crash, no file is known
 */
export const readFailedFiles = (path: string): string[] => {
  let report: { testResults?: { name: string; status: string }[] }
  try {
    report = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return []
  }
  return (report.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name)
}
