import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { ContractPlan } from './planContracts.ts'

/** Writes `CONTRACTS` into a settings file, in place of an earlier line; a new file is readable by this user only. */
export const writeContracts = (file: string, addresses: ContractPlan['addresses']): void => {
  const line = `CONTRACTS='${JSON.stringify(addresses)}'`
  const lines = existsSync(file) ? readFileSync(file, 'utf8').replace(/\n$/, '').split('\n') : []
  const at = lines.findIndex((text) => /^\s*CONTRACTS\s*=/.test(text))
  const written = at < 0 ? [...lines, line] : lines.with(at, line)
  writeFileSync(file, `${written.join('\n')}\n`, { mode: 0o600 })
}
