import { rmSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Copies the repository to a temporary folder, with the installed packages of the original; it is removed at exit. */
export const copySources = async (folder: string, files: readonly string[]): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), 'edgebook-mutants-'))
  process.once('exit', () => rmSync(copy, { recursive: true }))
  for (const file of files) {
    await mkdir(dirname(join(copy, file)), { recursive: true })
    await copyFile(join(folder, file), join(copy, file))
  }
  await symlink(join(folder, 'node_modules'), join(copy, 'node_modules'))
  return copy
}
