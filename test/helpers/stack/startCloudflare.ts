import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Binding = {
  name: string
  type: string
  text?: string
  service?: string
  queue_name?: string
  bucket_name?: string
  namespace_id?: string
}

/** An uploaded Worker. */
export type Upload = {
  name: string
  bindings: Binding[]
  /** media types of its modules */
  modules: string[]
  /** of Durable Objects, when it has steps that the Worker lacks */
  migrations?: Migrations | undefined
  isPublic: boolean | undefined
}

type Migrations = { old_tag?: string; new_tag: string }

/** Versions of a Worker with their shares, percent. */
export type Split = { version_id: string; percentage: number }[]

export type Cloudflare = {
  /** environment that makes wrangler use this account only */
  variables: Record<string, string>
  /** in order of arrival */
  uploads: Upload[]
  /** files uploaded with Workers, by path */
  assets: string[]
  queues: string[]
  /** R2 buckets */
  buckets: string[]
  /** splits of the traffic by Worker, the newest last */
  deployments: Map<string, Split[]>
  close: () => Promise<void>
}

const accountId = '0123456789abcdef0123456789abcdef'
const scripts = `/accounts/${accountId}/workers/scripts/`

/**
 * The part of the platform's API that `wrangler deploy` and `wrangler versions` call, on 127.0.0.1: an account with these Workers
 * that accepts an upload when every bound Worker exists. A Durable Object migration is applied by a whole upload alone, once,
 * and no version before it can be deployed again.
 * @param migrationTag the newest Durable Object migration of the existing Workers
 */
export const startCloudflare = async (
  existing: readonly string[] = [],
  migrationTag?: string | undefined,
): Promise<Cloudflare> => {
  const names = new Set(existing)
  const state: Omit<Cloudflare, 'close' | 'variables'> = {
    uploads: [],
    assets: [],
    queues: [],
    buckets: [],
    deployments: new Map(existing.map((name) => [name, [[{ version_id: randomUUID(), percentage: 100 }]]])),
  }

  const addDeployment = (name: string, split: Split): void => {
    state.deployments.set(name, [...(state.deployments.get(name) ?? []), split])
  }
  const tags = new Map(existing.map((name) => [name, migrationTag]))
  /** of each version: the newest Durable Object migration at its upload */
  const tagOf = new Map<string, string | undefined>()
  const versions = new Map(existing.map((name) => [name, [toVersion(findFirst(state, name), 'first')]]))

  const upload = async (request: IncomingMessage, name: string, isVersion: boolean): Promise<Answer> => {
    const { bindings, modules, migrations, message } = await readUpload(request)
    const missing = bindings.find(({ type, service }) => type === 'service' && !names.has(service ?? ''))
    if (missing) return failure(400, 10143, `Could not resolve service binding '${missing.service}'`)
    if (migrations && migrations.old_tag !== tags.get(name))
      return failure(412, 10079, `Migration tag precondition failed; current tag is ${tags.get(name)}`)
    if (migrations && isVersion)
      return failure(400, 10211, 'Version upload failed: it includes a Durable Object migration.')
    if (migrations) tags.set(name, migrations.new_tag)
    names.add(name)
    state.uploads.push({ name, bindings, modules, migrations, isPublic: undefined })
    const version = randomUUID()
    tagOf.set(version, tags.get(name))
    const added = toVersion(version, message)
    versions.set(name, [...(versions.get(name) ?? []), added])
    if (isVersion) return success({ ...added, startup_time_ms: 1 })
    addDeployment(name, [{ version_id: version, percentage: 100 }])
    return success({
      id: name,
      startup_time_ms: 1,
      tag: name,
      deployment_id: name,
      etag: name,
      mutable_pipeline_id: name,
    })
  }

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://cloudflare')
    const rest = pathname.startsWith(scripts) ? pathname.slice(scripts.length) : undefined
    const [name = '', part, id] = rest?.split('/') ?? []
    if (rest && request.method === 'PUT' && !part) return upload(request, name, false)
    if (pathname.startsWith(`/accounts/${accountId}/workers/workers/`))
      return success({ subdomain: { enabled: true, previews_enabled: true } })
    if (part === 'subdomain' && request.method === 'POST') {
      const { enabled } = JSON.parse(await readText(request)) as { enabled: boolean }
      for (const each of state.uploads) if (each.name === name) each.isPublic = enabled
      return success({ enabled, previews_enabled: false })
    }
    if (part === 'assets-upload-session') {
      const { manifest } = JSON.parse(await readText(request)) as { manifest: object }
      state.assets.push(...Object.keys(manifest))
      // all of them exist
      return success({ jwt: 'uploaded', buckets: [] })
    }
    if (rest && !names.has(name)) return failure(404, 10007, 'This Worker does not exist on your account.')
    if (part === 'secrets') return success([])
    if (part === 'versions' && request.method === 'POST') return upload(request, name, true)
    const ofWorker = versions.get(name) ?? []
    if (part === 'versions')
      return success(id ? (ofWorker.find((version) => version.id === id) ?? {}) : { items: ofWorker })
    if (part === 'deployments' && request.method === 'POST') {
      const { versions } = JSON.parse(await readText(request)) as { versions: Split }
      if (versions.some(({ version_id: id }) => tagOf.has(id) && tagOf.get(id) !== tags.get(name)))
        return failure(400, 10212, 'A Durable Object migration happened after this version.')
      addDeployment(name, versions)
      return success({ id: randomUUID() })
    }
    if (part === 'deployments')
      return success({ deployments: (state.deployments.get(name) ?? []).map(toDeployment).toReversed() })
    if (pathname.startsWith(`/accounts/${accountId}/workers/services/`)) {
      const service = pathname.split('/').at(-1) ?? ''
      if (!names.has(service)) return failure(404, 10090, 'Worker not found')
      return success({
        default_environment: {
          environment: 'production',
          script: { last_deployed_from: 'wrangler', migration_tag: tags.get(service) },
        },
      })
    }
    if (pathname === `/accounts/${accountId}/r2/buckets` && request.method === 'POST') {
      const { name: bucket } = JSON.parse(await readText(request)) as { name: string }
      if (state.buckets.includes(bucket)) return failure(409, 10004, 'The bucket you tried to create already exists.')
      state.buckets.push(bucket)
      return success({ name: bucket })
    }
    if (pathname === `/accounts/${accountId}/queues` && request.method === 'POST') {
      const { queue_name: queue } = JSON.parse(await readText(request)) as { queue_name: string }
      state.queues.push(queue)
      return success({ queue_id: queue, queue_name: queue })
    }
    if (pathname === `/accounts/${accountId}/queues`) {
      const wanted = searchParams.get('name')
      const found = state.queues.filter((queue) => wanted === null || queue === wanted)
      return success(
        found.map((queue) => ({ queue_id: queue, queue_name: queue, producers: [], consumers: [], created_on: '' })),
      )
    }
    if (pathname.endsWith('/workers/subdomain')) return success({ subdomain: 'example' })
    if (pathname === '/user') return success({ id: 'user', email: 'user@example.org' })
    if (pathname === '/user/tokens/verify') return success({ id: 'token', status: 'active' })
    return success(pathname === '/accounts' || pathname === '/memberships' ? [] : {})
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (reply) => send(response, reply),
      (error: unknown) => send(response, failure(500, 1, String(error))),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    variables: {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}`,
      CLOUDFLARE_API_TOKEN: 'a-token',
      CLOUDFLARE_ACCOUNT_ID: accountId,
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  })
}

const author_email = 'user@example.org'
/** @param count of seconds after the first one */
const toTime = (count: number) => new Date(Date.UTC(2026, 10, 1) + count * 1_000).toISOString()
const toDeployment = (versions: Split, index: number) => ({
  ...{ id: randomUUID(), source: 'wrangler', strategy: 'percentage', author_email, created_on: toTime(index) },
  ...{ annotations: {}, versions },
})
let versionCount = 0
const toVersion = (id: string, message: string | undefined) => ({
  ...{
    id,
    number: 1,
    metadata: { source: 'wrangler', author_email, created_on: toTime(versionCount++), has_preview: false },
  },
  annotations: message === undefined ? {} : { 'workers/message': message },
  resources: { bindings: [], script: { etag: id }, script_runtime: {} },
})
const findFirst = ({ deployments }: Pick<Cloudflare, 'deployments'>, name: string): string =>
  deployments.get(name)?.[0]?.[0]?.version_id ?? ''

type Answer = { status: number; body: object }

const success = (result: object): Answer => ({
  status: 200,
  body: {
    success: true,
    errors: [],
    messages: [],
    result,
    result_info: { page: 1, per_page: 50, count: 1, total_count: 1, total_pages: 1 },
  },
})

const failure = (status: number, code: number, message: string): Answer => ({
  status,
  body: { success: false, errors: [{ code, message }], messages: [], result: null },
})

const send = (response: ServerResponse, { status, body }: Answer): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

const readBytes = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const readText = async (request: IncomingMessage): Promise<string> => (await readBytes(request)).toString('utf8')

const readUpload = async (
  request: IncomingMessage,
): Promise<Pick<Upload, 'bindings' | 'modules' | 'migrations'> & { message: string | undefined }> => {
  const headers = { 'Content-Type': request.headers['content-type'] ?? '' }
  const form = await new Response((await readBytes(request)) as never, { headers }).formData()
  const modules = [...form.values()].flatMap((value) => (value instanceof File ? [value.type] : []))
  const { bindings, migrations, annotations } = JSON.parse(String(form.get('metadata')))
  return { bindings, modules, migrations, message: annotations?.['workers/message'] }
}
