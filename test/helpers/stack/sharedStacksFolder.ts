import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { prepareFolder } from '#tools/stack/folder/prepareFolder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** contains the folders of the stacks of `useSharedStack` */
    sharedStacksFolder: string
  }
}

/** Global setup: prepares the chain and the database of all stacks, and a folder for those that outlive a test file. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), 'edgebook-shared-'))
  await prepareFolder(join(folder, 'first'))
  project.provide('sharedStacksFolder', folder)
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}
