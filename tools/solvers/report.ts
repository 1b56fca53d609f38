/** Result of one request of a check. A fault must be mended; a note may be intended. */
export type Finding = { kind: 'ok' | 'note' | 'fault'; what: string; detail: string }

export type Report = {
  findings: Finding[]
  ok: (what: string, detail?: string) => void
  note: (what: string, detail: string) => void
  fault: (what: string, detail: string) => void
}

const marks = { ok: '✓', note: '–', fault: '✗' } as const

/** Collects findings, and writes each as one line. */
export const createReport = (write: (line: string) => void): Report => {
  const findings: Finding[] = []
  const add =
    (kind: Finding['kind']) =>
    (what: string, detail = '') => {
      findings.push({ kind, what, detail })
      write(`${marks[kind]} ${what}${detail ? `: ${detail.replaceAll(/\s+/g, ' ').slice(0, 300)}` : ''}`)
    }
  return { findings, ok: add('ok'), note: add('note'), fault: add('fault') }
}
