/** Requests of Postgres's protocol. Source: PostgreSQL documentation, 54.7 Message Formats. */

const toMessage = (type: string, parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const head = Buffer.allocUnsafe(5)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const toText = (text: string): Buffer => Buffer.from(`${text}\0`)

const toInt16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])

const sync = toMessage('S', [])
const execute = toMessage('E', [toText(''), Buffer.alloc(4)])

/** Ends a sequence of messages; after an error the server skips to it. */
export const buildSync = (): Buffer => sync

/** Runs the bound statement. */
export const buildExecute = (): Buffer => execute

/** Prepares a statement and describes its result. */
export const buildParse = (name: string, query: string): Buffer[] => [
  toMessage('P', [toText(name), toText(query), toInt16(0)]),
  toMessage('D', [Buffer.from('S'), toText(name)]),
]

/** Binds a prepared statement; parameters and results are text. */
export const buildBind = (name: string, params: readonly (string | null)[]): Buffer => {
  const values = params.map((value) => (value === null ? undefined : Buffer.from(value)))
  const sizes = values.map((value) => {
    const size = Buffer.allocUnsafe(4)
    size.writeInt32BE(value ? value.length : -1)
    return size
  })
  return toMessage('B', [
    ...[toText(''), toText(name), toInt16(0), toInt16(params.length)],
    ...values.flatMap((value, i) => [sizes[i] as Buffer, ...(value ? [value] : [])]),
    toInt16(0),
  ])
}

/** Forgets all prepared statements. */
export const buildDeallocateAll = (): Buffer[] => [...buildParse('', 'deallocate all'), buildBind('', []), execute]
