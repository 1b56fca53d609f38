import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes migrations `m0`, `m1` … and their journal, as drizzle-kit does. */
export const writeMigrations = async (folder: string, migrations: readonly string[]): Promise<void> => {
  await mkdir(join(folder, 'meta'), { recursive: true })
  const entries = migrations.map((_, idx) => ({
    idx,
    version: '7',
    when: 1000 + idx,
    tag: `m${idx}`,
    breakpoints: true,
  }))
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
  await Promise.all(migrations.map((text, idx) => writeFile(join(folder, `m${idx}.sql`), text)))
}
