import fc from 'fast-check'
import type { ApiDocument } from './openApiValidator.ts'

export type RawRequest = {
  method: string
  /** encoded, with the query */
  path: string
  headers: Record<string, string>
  body: string | Uint8Array | undefined
}

type Schema = {
  $ref?: string
  type?: string | string[]
  pattern?: string
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
  minimum?: number
  maximum?: number
}
type Operation = {
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}

/** Values that exist on the server, so that requests pass the first check. */
export type KnownValues = {
  network: string
  /** by the schema's pattern, `^0x[0-9a-fA-F]{40}$` */
  ofPattern: Record<string, string[]>
  /** accepted bodies by `POST /{network}/…`; requests differ from them in some fields */
  bodies: Record<string, (Record<string, unknown> | unknown[])[]>
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']

const deepJson = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

/** Valid and nearly valid app data documents. */
export const weirdDocuments = [
  '{"a":"\\u0000"}',
  '{"a":"\u0000"}',
  '{"a":"\\ud800"}',
  '{"__proto__":{}}',
  '{"metadata":null}',
  '{"metadata":{"hooks":[]}}',
  '{"metadata":{"hooks":{"pre":[{}]}}}',
  '{"metadata":{"hooks":{"pre":[{"target":"0x1","callData":"0x","gasLimit":"-1"}]}}}',
  `{"metadata":{"hooks":{"pre":[{"target":"0x${'1'.repeat(40)}","callData":"0xabcd","gasLimit":"9e99"}]}}}`,
  `{"metadata":{"hooks":{"pre":[{"target":"0x${'1'.repeat(40)}","callData":"0xabcd","gasLimit":"${2n ** 64n}"}]}}}`,
  '{"metadata":{"partnerFee":{"bps":1e9}}}',
  '{"metadata":{"replacedOrder":{"uid":"0x12"}}}',
  `{"metadata":{"replacedOrder":{"uid":"0x${'12'.repeat(56)}"}}}`,
  '{"metadata":{"validFrom":-1}}',
  '{"metadata":{"validFrom":1e400}}',
  '{"metadata":{"signer":7}}',
  '{"metadata":{"referrer":{"code":"\\u0000FUZZ"}}}',
  '[]',
  'null',
  deepJson(3_000),
]

const weirdTexts = [
  ..."|  |0|-1|+1|00|1e18|1.0|0x|0x0|0X12|٣|１|NaN|null|true|[]|{}|%s%n|__proto__|'; --|💥".split('|'),
  ...['\u0000', 'a\u0000b', '\ud800', '\udfff\ud800', '\u202e', '\ufeff'],
  ...[`${2n ** 256n - 1n}`, `${2n ** 256n}`, '9'.repeat(78), '9'.repeat(5_000), '0'.repeat(5_000), 'a'.repeat(9_000)],
  ...[`0x${'0'.repeat(39)}`, `0x${'g'.repeat(40)}`, `0x${'0'.repeat(40)}`, `0x${'e'.repeat(40)}`],
  ...[`0x${'f'.repeat(64)}`, `0x${'ab'.repeat(55)}`, `0x${'ab'.repeat(56)}`, `0x${'a'.repeat(8_000)}`],
]

/** Replacement values of any type for a field. */
const weirdValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -0, -1, 1.5, 1e308, 2 ** 32, 2 ** 53, 2 ** 64, [], {}, [[]], [null]),
  fc.constantFrom(...weirdTexts),
  fc.constantFrom(...weirdDocuments),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
  fc.bigInt().map(String),
  fc.double(),
  fc.jsonValue({ maxDepth: 4 }),
)

/** Arbitrary text as a part of a path or query; partly in encodings that no client uses. */
const weirdText: fc.Arbitrary<string> = fc.oneof(
  weirdValue.map((value) => encodeURIComponent(toText(value).toWellFormed()).slice(0, 3_000)),
  fc.constantFrom(...'% %0 %zz %00 %ff %c0%80 %ed%a0%80 %2e%2e .. . %2f %5c %25 + ;'.split(' ')),
)

const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Nearly valid and invalid requests for every operation of the document and for unknown paths. */
export const arbitraryRequest = (document: ApiDocument, known: KnownValues): fc.Arbitrary<RawRequest> => {
  const schemas = document.components.schemas as Record<string, Schema>

  const fromSchema = (schema: Schema): fc.Arbitrary<unknown> => {
    const name = schema.$ref?.split('/').at(-1)
    if (name) return fromSchema(schemas[name] ?? {})
    const branches = schema.oneOf ?? schema.anyOf
    if (branches) return fc.oneof(...branches.map(fromSchema))
    if (schema.allOf) return fc.tuple(...schema.allOf.map(fromSchema)).map((parts) => Object.assign({}, ...parts))
    if (schema.enum) return fc.constantFrom(...schema.enum)
    const type = [schema.type].flat()[0]
    if (schema.properties) {
      const fields = Object.entries(schema.properties).map(([key, value]) => [key, fromSchema(value)] as const)
      return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] })
    }
    if (schema.pattern) {
      const ofPattern = known.ofPattern[schema.pattern]
      const any = fc.stringMatching(new RegExp(schema.pattern))
      return ofPattern ? fc.oneof(any, { arbitrary: fc.constantFrom(...ofPattern), weight: 4 }) : any
    }
    if (type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1e9, 1e9) })
    if (type === 'number') return fc.double({ noNaN: true })
    if (type === 'boolean') return fc.boolean()
    if (type === 'array') return fc.array(fromSchema(schema.items ?? {}), { maxLength: 140, size: 'medium' })
    if (type === 'string') return fc.string({ maxLength: 40 })
    return fc.jsonValue({ maxDepth: 3 })
  }

  const fromOperation = (template: string, method: string, { parameters = [], requestBody }: Operation) => {
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    const inQuery = parameters.filter((parameter) => parameter.in === 'query')
    const mostlyValid = ({ schema }: { schema: Schema }) =>
      fc.oneof(
        { arbitrary: fromSchema(schema).map((value) => encodeURIComponent(toText(value))), weight: 3 },
        { arbitrary: weirdText, weight: 1 },
      )
    const path = fc
      .tuple(
        fc.oneof({ arbitrary: fc.constant(known.network), weight: 20 }, { arbitrary: weirdText, weight: 1 }),
        // most networks of the document are not served
        ...inPath.map((parameter) =>
          parameter.name === 'chainId'
            ? fc.oneof({ arbitrary: fc.constant(known.network), weight: 8 }, mostlyValid(parameter))
            : mostlyValid(parameter),
        ),
      )
      .map(([network, ...values]) =>
        inPath.reduce(
          (text, { name }, i) => text.replace(`{${name}}`, () => values[i] ?? ''),
          template.replace('{network}', () => network),
        ),
      )
    const queryPart = fc.oneof(
      ...inQuery.map((parameter) => mostlyValid(parameter).map((value) => `${parameter.name}=${value}`)),
      fc.tuple(weirdText, weirdText).map(([name, value]) => `${name}=${value}`),
    )
    const query = fc.oneof(
      { arbitrary: fc.constant(''), weight: 2 },
      { arbitrary: fc.array(queryPart, { maxLength: 5 }).map((parts) => `?${parts.join('&')}`), weight: 3 },
      {
        arbitrary: fc.constantFrom('?', '??', '?&&', `?${'a=1&'.repeat(800)}`, `?limit=${'1'.repeat(3_000)}`),
        weight: 1,
      },
    )
    const suffix = fc.oneof(
      { arbitrary: fc.constant(''), weight: 15 },
      fc.constantFrom('/', '//', '/.', '/x', '%00', '#'),
    )
    return fc.record({
      method: fc.oneof({ arbitrary: fc.constant(method.toUpperCase()), weight: 12 }, fc.constantFrom(...methods)),
      path: fc.tuple(path, suffix, query).map((parts) => parts.join('')),
      headers,
      body: requestBody
        ? fromBody(`${method.toUpperCase()} ${template}`, requestBody.content['application/json'].schema)
        : rarely(weirdBody),
    })
  }

  /** A body that is valid, nearly valid or arbitrary. */
  const fromBody = (operation: string, schema: Schema): fc.Arbitrary<RawRequest['body']> => {
    const accepted = known.bodies[operation] ?? []
    const change = fc.dictionary(fc.constantFrom(...findFields(schema), 'unknown'), weirdValue, { maxKeys: 2 })
    const good = accepted.length > 0 ? fc.oneof(fc.constantFrom(...accepted), fromSchema(schema)) : fromSchema(schema)
    const changed = fc
      .tuple(good, change)
      .map(([body, fields]) => (typeof body === 'object' && !Array.isArray(body) ? { ...body, ...fields } : body))
    return fc.oneof(
      { arbitrary: changed.map((value) => JSON.stringify(value)), weight: 8 },
      { arbitrary: good.map((value) => JSON.stringify(value)), weight: 2 },
      { arbitrary: weirdValue.map((value) => JSON.stringify(value) ?? ''), weight: 1 },
      { arbitrary: weirdBody, weight: 2 },
    )
  }

  const findFields = (schema: Schema): string[] => {
    const name = schema.$ref?.split('/').at(-1)
    if (name) return findFields(schemas[name] ?? {})
    const parts = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]
    return [...Object.keys(schema.properties ?? {}), ...parts.flatMap(findFields)]
  }

  const operations = Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => ({
        arbitrary: fromOperation(template, method, operation as Operation),
        weight: 'requestBody' in (operation as Operation) ? 4 : 1,
      })),
  )
  const words = [...new Set(Object.keys(document.paths).flatMap((template) => template.split('/')))]
  const weirdPath = fc
    .array(fc.oneof(fc.constantFrom(known.network, ...words), weirdText), { minLength: 1, maxLength: 6 })
    .map((segments) => `/${segments.join('/')}`.replace(/[{}]/g, ''))
  const anywhere = fc.record({
    method: fc.constantFrom(...methods),
    path: weirdPath,
    headers,
    body: rarely(weirdBody),
  })
  return fc.oneof({ arbitrary: fc.oneof(...operations), weight: 9 }, { arbitrary: anywhere, weight: 1 })
}

const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ arbitrary: fc.constant(undefined), weight: 5 }, arbitrary)

const weirdBody: fc.Arbitrary<RawRequest['body']> = fc.oneof(
  fc.constantFrom<RawRequest['body'][]>(
    ...['', ' ', '{', '{"a":', '[1,', 'null', '"', 'NaN', '{"a":1}x', '{"a":1,"a":2}', 'a=b', '<xml/>', '\ufeff{}'],
    ...[deepJson(7_000), `{"a":${deepJson(3_000)}}`, 'x'.repeat(20_000), `"${'x'.repeat(16_370)}"`],
    ...[new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), new Uint8Array([0xc3, 0x28]), new Uint8Array(17_000)],
    ...[new TextEncoder().encode('{"fullAppData":"\\u0000"}'), new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ),
  fc.uint8Array({ maxLength: 60 }),
  fc.json(),
)

const headers: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    'Content-Type': fc.oneof(
      { arbitrary: fc.constant('application/json'), weight: 8 },
      fc.constantFrom(
        ...['application/json; charset=utf-8', 'application/json;charset=utf-16', 'APPLICATION/JSON', 'text/plain', ''],
        ...['application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/form-data; boundary=x', 'nonsense'],
        ...['application/problem+json', 'application/json, text/plain', 'application/json; a=b; c'],
      ),
    ),
    'If-None-Match': fc.constantFrom('*', '""', 'W/"x"', '"a", "b"', 'nonsense', 'x'.repeat(4_000)),
    'X-Request-Id': fc.constantFrom('', 'abc', 'a b', 'x'.repeat(300), '"'),
    Authorization: fc.constantFrom('Bearer x', 'Basic eDp5', 'x'.repeat(2_000)),
    'Accept-Encoding': fc.constantFrom('gzip', 'br', 'identity'),
    'Content-Encoding': fc.constantFrom('gzip', 'identity', 'nonsense'),
    Origin: fc.constantFrom('null', 'https://example.org'),
    Range: fc.constantFrom('bytes=0-1', 'bytes=9999-'),
  },
  { requiredKeys: ['Content-Type'] },
)
