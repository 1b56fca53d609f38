import type { DoctorFinding } from './finding.ts'

const marks = { ok: 'ok     ', limited: 'limited', wrong: 'WRONG  ' } as const

/** A line per finding, with its remedy below it. */
export const toLines = (findings: readonly DoctorFinding[]): string[] =>
  findings.flatMap(({ state, name, detail, remedy }) => [
    `${marks[state]} ${name}: ${detail}`,
    ...(remedy ? [`          → ${remedy}`] : []),
  ])
