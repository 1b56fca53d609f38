import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../lint/listTrackedFiles.ts'
import { readFailedFiles } from './readFailedFiles.ts'

test('names the files that failed in a run, also those that could not be loaded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'edgebook-failed-files-'))
  try {
    const sources = {
      'passes.test.mjs': `test('passes', () => {})`,
      'fails.test.mjs': `test('fails', () => { throw new Error('wrong') })`,
      'breaks.test.mjs': `throw new Error('broken')`,
    }
    for (const [name, source] of Object.entries(sources)) await writeFile(join(folder, name), source)
    const report = join(folder, 'report.json')
    const args = ['run', '--root', folder, '--globals', '--reporter=json', `--outputFile.json=${report}`]
    const run = promisify(execFile)(join(root, 'node_modules/.bin/vitest'), args, { cwd: folder })
    await expect(run).rejects.toMatchObject({ code: 1 })
    expect(readFailedFiles(report).toSorted()).toEqual([
      join(folder, 'breaks.test.mjs'),
      join(folder, 'fails.test.mjs'),
    ])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('without a report no file is known', () => {
  expect(readFailedFiles('/none.json')).toEqual([])
})
