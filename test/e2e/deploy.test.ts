import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { networkNames } from '#shared/networks.ts'
import { type Cloudflare, startCloudflare } from '#test/helpers/stack/startCloudflare.ts'
import { type DeployOptions, deploy } from '#tools/deploy/deploy.ts'
import { deployWorker } from '#tools/deploy/deployWorker.ts'
import { deployGradually } from '#tools/deploy/gradual/deployGradually.ts'
import { planDeployment } from '#tools/deploy/planDeployment.ts'
import type { PreparedWorker } from '#tools/deploy/prepareWorker.ts'
import { readSettings } from '#tools/deploy/readSettings.ts'
import { createRunWrangler, type RunWrangler } from '#tools/deploy/runWrangler.ts'
import { createBucket, createQueue } from '#tools/deploy/steps/buildPreparation.ts'
import { rollBack } from '#tools/rollback/rollBack.ts'
import { applyMigrations, findPendingMigrations } from '#tools/stack/applyMigrations.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { openPglite } from '#tools/stack/database/openPglite.ts'
import { databaseEndpoint } from '#tools/stack/databaseEndpoint.ts'
import { buildWorkers } from '#tools/workers/buildWorkers.ts'
import { readWorkerConfigs } from '#tools/workers/readWorkerConfigs.ts'

const root = join(import.meta.dirname, '../..')
const refuse = () => Promise.reject(new Error('a dry run sends no request'))

let dir: string
let lines: string[]

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'edgebook-deploy-test-'))
  lines = []
})

afterEach(() => rm(dir, { recursive: true }))

const start = (options: Pick<DeployOptions, 'network'> & Partial<DeployOptions>): Promise<boolean> =>
  deploy({
    root,
    dir,
    environment: 'production',
    dryRun: false,
    anyway: false,
    variables: {},
    run: refuse,
    log: (line) => lines.push(line),
    ...options,
  })

const listDeployed = (): string[] =>
  lines.flatMap((line) => line.match(/^ *\d+\/\d+ deploy (\S+?)(?:,|$)/)?.slice(1) ?? [])

for (const environment of ['production', 'staging'] as const) {
  test.each(networkNames)(
    `a dry run of %s, ${environment}, needs no setting, no account and no network`,
    async (network) => {
      expect(await start({ network, environment, dryRun: true })).toBe(true)
      const text = lines.join('\n')
      for (const name of ['CONTRACTS', 'DATABASE_URL', 'RPC_URL', 'SOLVERS'])
        expect(text).toContain(`  ${name}: missing. Set it in .env.${network}`)
      const suffix = environment === 'staging' ? '-staging' : ''
      const deployed = listDeployed()
      expect(deployed.at(-1)).toBe(`edgebook-gateway${suffix}`)
      expect(deployed).toContain(`edgebook-orders-${network.replaceAll('_', '-')}${suffix}`)
      expect(deployed.every((name) => name.endsWith('-staging') === (environment === 'staging'))).toBe(true)
      expect(lines.at(-1)).toMatch(/^\ndeployment blocked: \d+ settings missing or invalid$/)
    },
  )
}

const secrets = {
  rpc: 'http://127.0.0.1:9/node-key',
  mainnet: 'http://127.0.0.1:9/mainnet-key',
  debug: 'debug-token-0123456789',
}

const writeSettings = async (databaseUrl: string): Promise<void> => {
  const ofNetwork = `
CONTRACTS=canonical
RPC_URL=${secrets.rpc}
SOLVERS='[{"name":"direct","strategy":"direct"},{"name":"late","address":"0x00000000000000000000000000000000000000aa","url":"https://solver.example"}]'
SOLVER_PRIVATE_KEY_DIRECT=${devAccounts[8].privateKey}
DEBUG_TOKEN=${secrets.debug}
ARCHIVE_AFTER_DAYS=30
BANNED_USERS=0x00000000000000000000000000000000000000bb
`
  await writeFile(join(dir, '.env.sepolia.staging'), ofNetwork)
  await writeFile(join(dir, '.env.base.staging'), ofNetwork)
  await writeFile(
    join(dir, '.env.shared.staging'),
    `DATABASE_URL=${databaseUrl}\nMAINNET_RPC_URL=${secrets.mainnet}\nCOINGECKO_API_KEY='gecko$KEY'\n`,
  )
}

test('what the doctor calls wrong is reported before the first step: nodes, newer migrations, no database', async () => {
  const database = await startDatabase()
  try {
    await writeSettings(database.databaseUrl)
    const target = { network: 'sepolia', environment: 'staging' } as const
    expect(await start({ ...target, dryRun: true })).toBe(false)
    expect(lines.at(-1)).toMatch(/^\ndeployment blocked: \d wrong; --anyway deploys nevertheless$/)
    for (const line of ['WRONG   setting RPC_URL: an address of this machine', 'WRONG   node: no answer'])
      expect(lines.join('\n')).toContain(line)
    expect(lines.join('\n')).toMatch(/ok {6}database 127\.0\.0\.1, migrations: 0000_.* pending/)
    expect(await start({ ...target, dryRun: true, anyway: true })).toBe(true)
    expect(lines.at(-1)).toContain('ready to deploy')

    await applyMigrations(database.databaseUrl)
    await connectDatabase(database.databaseUrl).execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', ${Date.now()})`,
    )
    expect(await start({ ...target, dryRun: true })).toBe(false)
    expect(lines.join('\n')).toContain('the database is newer than these sources')
    expect(await start(target)).toBe(false)
  } finally {
    await database.close()
  }
  expect(await start({ network: 'sepolia', environment: 'staging', dryRun: true })).toBe(false)
  expect(lines.join('\n')).toContain('ECONNREFUSED')
})

const startDatabase = async () => {
  const backend = await openPglite()
  const endpoint = await databaseEndpoint({ backend, port: 0 })
  const close = async () => {
    await endpoint.close()
    await backend.close()
  }
  return { databaseUrl: endpoint.databaseUrl, close }
}

const findBindings = ({ uploads }: Cloudflare, name: string) =>
  uploads.find((upload) => upload.name === name)?.bindings ?? []

/** WebAssembly modules of each uploaded Worker. */
const listWasm = ({ uploads }: Cloudflare): string[][] =>
  uploads.map(({ modules }) => modules.filter((type) => type === 'application/wasm'))

/** Uploads one Worker of Sepolia's staging deployment. */
const connectUpload = async (run: RunWrangler) => {
  await writeSettings('postgres://user:password@127.0.0.1:9/edgebook')
  const { workers } = planDeployment({
    bases: await buildWorkers(root, await readWorkerConfigs(root)),
    settings: readSettings(dir, 'staging', {}),
    environment: 'staging',
    network: 'sepolia',
    others: [],
    version: 'v1',
  })
  const find = (name: string) => {
    const worker = workers.find(({ config }) => config.name === name)
    if (!worker) throw new Error(name)
    return worker
  }
  const upload = (name: string) => deployWorker(run, find(name), ['deploy', '--message', 'edgebook v1'])
  return { find, upload }
}

const solverName = 'edgebook-solver-direct-sepolia-staging'
const statusName = 'edgebook-status-sepolia-staging'

test('wrangler uploads WebAssembly with the Worker that imports it', async () => {
  const cloudflare = await startCloudflare(['edgebook-auctions-sepolia-staging'])
  try {
    const { upload } = await connectUpload(createRunWrangler({ ...process.env, ...cloudflare.variables }))
    expect(await upload('edgebook-orders-sepolia-staging')).toMatchObject({ succeeded: true })
    expect(listWasm(cloudflare)).toEqual([['application/wasm']])
  } finally {
    await cloudflare.close()
  }
})

test('wrangler uploads secrets as secrets, creates a queue and a bucket once, and fails for a binding without a target', async () => {
  const cloudflare = await startCloudflare()
  const run = createRunWrangler({ ...process.env, ...cloudflare.variables })
  try {
    const { upload } = await connectUpload(run)
    const uploaded = await upload('edgebook-solver-direct-sepolia-staging')
    expect(uploaded).toMatchObject({ succeeded: true })
    expect(uploaded.output).not.toContain(devAccounts[8].privateKey)
    expect(cloudflare.uploads).toMatchObject([{ name: 'edgebook-solver-direct-sepolia-staging', isPublic: false }])
    expect(listWasm(cloudflare)).toEqual([[]])
    const bindings = findBindings(cloudflare, 'edgebook-solver-direct-sepolia-staging')
    expect(bindings).toContainEqual({
      name: 'SOLVER_PRIVATE_KEY',
      type: 'secret_text',
      text: devAccounts[8].privateKey,
    })
    expect(bindings).toContainEqual({ name: 'NETWORK', type: 'plain_text', text: 'sepolia' })

    expect(await upload('edgebook-auctions-sepolia-staging')).toMatchObject({
      succeeded: false,
      output: expect.stringContaining('10143'),
    })
    expect((await upload('edgebook-gateway-staging')).succeeded).toBe(false)
    for (const file of ['/docs/index.html', '/console/index.html', '/console/icon.svg'])
      expect(cloudflare.assets).toContain(file)
    expect(cloudflare.assets.filter((file) => file.startsWith('/console/assets/')).length).toBeGreaterThan(2)
    expect([await createQueue(run, 'deliveries'), await createQueue(run, 'deliveries')]).toEqual([true, false])
    expect(cloudflare.queues).toEqual(['deliveries'])
    expect([await createBucket(run, 'archive'), await createBucket(run, 'archive')]).toEqual([true, false])
    expect(cloudflare.buckets).toEqual(['archive'])
  } finally {
    await cloudflare.close()
  }
})

test('wrangler shifts the traffic in steps, and back when a check fails; a new Worker or a migration needs a whole deployment', async () => {
  const cloudflare = await startCloudflare([solverName, statusName], 'v1')
  const old = await startCloudflare([solverName])
  const connect = ({ variables }: Cloudflare) => createRunWrangler({ ...process.env, ...variables })
  try {
    const { find } = await connectUpload(connect(cloudflare))
    const readShares = (name: string) =>
      (cloudflare.deployments.get(name) ?? []).map((split) => split.map(({ percentage }) => percentage))
    const newestShare = () => readShares(statusName).at(-1)?.at(-1) ?? 0
    const deployWith = (names: readonly string[], check: () => Promise<void>) =>
      deployGradually(names.map(find), {
        run: connect(cloudflare),
        version: 'v2',
        check,
        log: (line) => lines.push(line),
      })
    const former = cloudflare.deployments.get(statusName)?.[0]

    const failAtForty = async () => {
      if (newestShare() === 40) throw new Error('3 of 90 responses are 5xx')
    }
    expect(await deployWith([solverName, statusName], failAtForty)).toBe('failed')
    for (const name of [solverName, statusName]) expect(readShares(name)).toEqual([[100], [90, 10], [60, 40], [100]])
    expect(cloudflare.deployments.get(statusName)?.at(-1)).toEqual(former)
    expect(lines.join('\n')).toContain('40 %: 3 of 90 responses are 5xx')

    expect(await deployWith([statusName], async () => undefined)).toBe('done')
    expect(readShares(statusName).slice(4)).toEqual([[90, 10], [60, 40], [100]])
    expect(cloudflare.deployments.get(statusName)?.at(-1)).not.toEqual(former)

    const whole = (worker: string) =>
      deployGradually([find(worker)], { run: connect(old), version: 'v2', check: async () => undefined, log: () => {} })
    expect([await whole(solverName), await whole(statusName)]).toEqual(['whole', 'whole'])
    expect(old.deployments.get(solverName)).toHaveLength(1)
  } finally {
    await cloudflare.close()
    await old.close()
  }
})

test('a rollback returns the Workers of the newest release to the one before, but none to before a Durable Object class', async () => {
  const cloudflare = await startCloudflare()
  const run = createRunWrangler({ ...process.env, ...cloudflare.variables })
  const names = [solverName, statusName]
  const goBack = () => rollBack(names, { run, dryRun: false, log: (line) => lines.push(line) })
  const readActive = () => names.map((name) => cloudflare.deployments.get(name)?.at(-1)?.[0]?.version_id)
  try {
    const { find } = await connectUpload(run)
    const release = async (version: string, worker: PreparedWorker) => {
      const deployed = await deployWorker(run, worker, ['deploy', '--message', `edgebook ${version}`])
      expect(deployed.succeeded, deployed.output).toBe(true)
    }
    for (const name of names) await release('v1', find(name))
    const [first = '', status] = readActive()
    const solver = find(solverName)
    await release('v2', solver)
    expect(await goBack()).toBe(true)
    expect(readActive()).toEqual([first, status])
    expect(lines).toEqual([
      'the newest release is edgebook v2',
      `${statusName}: unchanged, edgebook v1`,
      expect.stringContaining(`${solverName}: back to edgebook v1, version ${first} of 2026-11-01T`),
    ])

    const migrations = [...(solver.config.migrations as object[]), { tag: 'v2', new_sqlite_classes: ['SecondQueue'] }]
    const changed = { ...solver, config: { ...solver.config, migrations } }
    const options = { run, version: 'v3', check: async () => undefined, log: (line: string) => lines.push(line) }
    expect(await deployGradually([changed], options)).toBe('whole')
    expect(readActive()).toEqual([first, status])
    await release('v3', changed)
    await release('v4', changed)
    const sent = cloudflare.uploads.filter(({ name }) => name === solverName).map((upload) => upload.migrations)
    expect(sent).toMatchObject([{ new_tag: 'v1' }, undefined, { old_tag: 'v1', new_tag: 'v2' }, undefined])
    expect([await goBack(), await goBack()]).toEqual([true, false])
    expect(lines.join('\n')).toMatch(`${solverName} is NOT back to edgebook v2`)
  } finally {
    await cloudflare.close()
  }
})

test.runIf(process.env.LONG)(
  'deploys a network beside another one: dependencies first, secrets as secrets, only the gateway public',
  async () => {
    const database = await startDatabase()
    // base is deployed, but its debug Worker is not yet
    const cloudflare = await startCloudflare(
      ['quotes', 'orders', 'auctions'].map((group) => `edgebook-${group}-base-staging`),
    )
    const run = createRunWrangler({ ...process.env, ...cloudflare.variables })
    try {
      await writeSettings(database.databaseUrl)
      const target = { network: 'sepolia', environment: 'staging', anyway: true, run } as const
      expect(await start(target)).toBe(true)
      expect(await findPendingMigrations(database.databaseUrl)).toEqual([])
      expect(cloudflare.uploads.map(({ name }) => name)).toEqual([...new Set(listDeployed())])
      expect(
        cloudflare.uploads.every(({ name, isPublic }) => (isPublic === true) === (name === 'edgebook-gateway-staging')),
      ).toBe(true)

      const gateway = findBindings(cloudflare, 'edgebook-gateway-staging')
      const services = gateway.filter(({ type }) => type === 'service').map(({ name }) => name)
      expect(services).toEqual(
        expect.arrayContaining(['ORDERS_SEPOLIA', 'DEBUG_SEPOLIA', 'ORDERS_BASE', 'QUOTES_BASE', 'TOKENS']),
      )
      expect(services).not.toContain('DEBUG_BASE')
      expect(gateway.filter(({ type }) => type === 'ratelimit').map(({ namespace_id: id }) => id)).toContain('21001')

      expect(cloudflare.buckets).toEqual(['edgebook-archive-staging'])
      for (const name of ['edgebook-auctions-sepolia-staging', 'edgebook-debug-sepolia-staging'])
        expect(findBindings(cloudflare, name)).toContainEqual({
          ...{ name: 'ARCHIVE', type: 'r2_bucket', bucket_name: 'edgebook-archive-staging' },
        })

      const solver = findBindings(cloudflare, 'edgebook-solver-direct-sepolia-staging')
      expect(solver).toContainEqual({
        name: 'SOLVER_PRIVATE_KEY',
        type: 'secret_text',
        text: devAccounts[8].privateKey,
      })
      const tokens = findBindings(cloudflare, 'edgebook-tokens-staging')
      expect(tokens).toContainEqual({ name: 'COINGECKO_API_KEY', type: 'secret_text', text: 'gecko$KEY' })
      expect(tokens).toContainEqual({
        name: 'RPC_URLS',
        type: 'secret_text',
        text: JSON.stringify({ base: secrets.rpc, sepolia: secrets.rpc }),
      })
      const values = [devAccounts[8].privateKey, database.databaseUrl, ...Object.values(secrets), 'gecko$KEY']
      for (const value of values) {
        expect(lines.join('\n')).not.toContain(value)
        for (const { bindings } of cloudflare.uploads)
          for (const { type, text } of bindings) if (type !== 'secret_text') expect(text ?? '').not.toContain(value)
      }

      const first = cloudflare.uploads.length
      const names = cloudflare.uploads.map(({ name }) => name)
      expect(await start(target)).toBe(true)
      const again = cloudflare.uploads.slice(first)
      expect(again.map(({ name }) => name)).toEqual(names)
      expect(again.filter(({ migrations }) => migrations)).toEqual([])
    } finally {
      await cloudflare.close()
      await database.close()
    }
  },
)
