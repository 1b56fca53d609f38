import type { Finding } from './finding.ts'

const marks = { ok: 'ok     ', limited: 'limited', wrong: 'WRONG  ' } as const

/** A line for each finding, and one below it that says what to do. */
export const toLines = (findings: readonly Finding[]): string[] =>
  findings.flatMap(({ state, name, detail, remedy }) => [
    `${marks[state]} ${name}: ${detail}`,
    ...(remedy ? [`          → ${remedy}`] : []),
  ])
