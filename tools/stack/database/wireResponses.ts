import type { SqlResult } from './sqlBackend.ts'

/** Columns of a statement's result. */
export type StatementFields = SqlResult['fields']

/** Names of the fields of an error by their code. Source: PostgreSQL documentation, 54.8. */
const errorNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ S: 'severity', C: 'code', D: 'detail', H: 'hint', P: 'position', p: 'internalPosition', q: 'internalQuery' },
    ...{ W: 'where', s: 'schema', t: 'table', c: 'column', d: 'dataType', n: 'constraint', F: 'file', L: 'line' },
    R: 'routine',
  }),
)

/** An error of Postgres with its fields. */
export class WireError extends Error {
  override name = 'WireError'

  constructor(message: string, fields: ReadonlyMap<string, string>) {
    super(message)
    for (const [code, name] of errorNames) Object.assign(this, { [name]: fields.get(code) })
  }
}

type Answers = {
  /** of each completed statement */
  results: SqlResult[]
  error: WireError | undefined
}

const letter = (text: string): number => text.charCodeAt(0)
const types = {
  rowDescription: letter('T'),
  dataRow: letter('D'),
  commandComplete: letter('C'),
  emptyQuery: letter('I'),
  readyForQuery: letter('Z'),
  error: letter('E'),
}

/**
 * Reads the responses to a sequence of requests. Source: PostgreSQL documentation, 54.7.
 * @param fields columns of each executed statement, in their order; undefined where the responses describe them
 */
export const createWireReader = (fields: readonly (StatementFields | undefined)[]) => {
  const parts: Buffer[] = []
  const answers: Answers = { results: [], error: undefined }
  let described: StatementFields = []
  let rows: SqlResult['rows'] = []

  const complete = (tag: string): void => {
    const words = tag.split(' ')
    const count = Number.parseInt(words.at(-1) ?? '', 10)
    answers.results.push({
      command: words[0] ?? '',
      rowCount: Number.isNaN(count) ? null : count,
      fields: fields[answers.results.length] ?? described,
      rows,
    })
    described = []
    rows = []
  }
  const read = (type: number, bytes: Buffer, start: number, end: number): void => {
    if (type === types.dataRow) rows.push(readRow(bytes, start))
    else if (type === types.commandComplete) complete(bytes.toString('latin1', start, end - 1))
    else if (type === types.emptyQuery) complete('')
    else if (type === types.rowDescription) described = readFields(bytes, start)
    else if (type === types.error) answers.error ??= readError(bytes, start)
  }

  return {
    /** Adds a part of the responses; its memory may change afterwards. */
    add: (part: Uint8Array): void => void parts.push(Buffer.from(part)),
    /** @throws Error when the responses are incomplete */
    end: (): Answers => {
      let isReady = false
      const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
      for (let at = 0; at < bytes.length; ) {
        const end = at + 1 + bytes.readInt32BE(at + 1)
        isReady ||= bytes[at] === types.readyForQuery
        read(bytes[at] ?? 0, bytes, at + 5, end)
        at = end
      }
      if (!isReady) throw new Error('the database did not answer')
      return answers
    },
  }
}

const readRow = (bytes: Buffer, start: number): (string | null)[] => {
  const row: (string | null)[] = []
  let at = start + 2
  for (let left = bytes.readInt16BE(start); left > 0; left -= 1) {
    const size = bytes.readInt32BE(at)
    at += 4
    row.push(size < 0 ? null : bytes.toString('utf8', at, at + size))
    at += Math.max(0, size)
  }
  return row
}

/** Text up to a zero byte. */
const readText = (bytes: Buffer, start: number): { text: string; next: number } => {
  const end = bytes.indexOf(0, start)
  return { text: bytes.toString('utf8', start, end), next: end + 1 }
}

const readFields = (bytes: Buffer, start: number): StatementFields => {
  const fields: StatementFields = []
  let at = start + 2
  for (let left = bytes.readInt16BE(start); left > 0; left -= 1) {
    const { text, next } = readText(bytes, at)
    // table, its column, type, size of the type, its modifier, format
    fields.push({ name: text, dataTypeID: bytes.readInt32BE(next + 6) })
    at = next + 18
  }
  return fields
}

const readError = (bytes: Buffer, start: number): WireError => {
  const fields = new Map<string, string>()
  for (let at = start; bytes[at] !== 0; ) {
    const { text, next } = readText(bytes, at + 1)
    fields.set(String.fromCharCode(bytes[at] ?? 0), text)
    at = next
  }
  return new WireError(fields.get('M') ?? '', fields)
}
