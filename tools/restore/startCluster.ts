import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPort } from '../stack/processes/findPort.ts'

const run = promisify(execFile)
const debianFolder = '/usr/lib/postgresql'

/**
 * The newest folder of Postgres' programs: `PG_BIN`, or where Debian puts them.
 * @returns undefined without one
 */
export const findPostgresPrograms = (): string | undefined => {
  if (process.env.PG_BIN) return process.env.PG_BIN
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : []
  const [newest] = versions
    .map((version) => join(debianFolder, version, 'bin'))
    .filter((path) => existsSync(join(path, 'initdb')))
    .toSorted((a, b) => b.localeCompare(a, undefined, { numeric: true }))
  return newest
}

export type Cluster = { url: string; stop: () => Promise<void> }

/**
 * Starts an empty Postgres cluster on a free port of 127.0.0.1. As root it runs as the user `postgres`, because
 * Postgres refuses root.
 * @param programs folder with initdb and pg_ctl
 */
export const startCluster = async (programs: string): Promise<Cluster> => {
  const folder = await mkdtemp(join(tmpdir(), 'edgebook-cluster-'))
  const isRoot = process.getuid?.() === 0
  const runAs = (program: string, args: string[]) => {
    const path = join(programs, program)
    return isRoot ? run('runuser', ['-u', 'postgres', '--', path, ...args]) : run(path, args)
  }
  try {
    if (isRoot) await chown(folder, await findId('-u'), await findId('-g'))
    await runAs('initdb', ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C', '-D', folder])
    const port = await findPort(0, 'PORT')
    const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories='' -c fsync=off`
    await runAs('pg_ctl', ['-D', folder, '-w', '-l', join(folder, 'log'), '-o', options, 'start'])
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      stop: async () => {
        await runAs('pg_ctl', ['-D', folder, '-m', 'immediate', 'stop'])
        await rm(folder, { recursive: true })
      },
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

const findId = async (option: '-u' | '-g'): Promise<number> => Number((await run('id', [option, 'postgres'])).stdout)
