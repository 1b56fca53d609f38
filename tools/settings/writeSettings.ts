import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderSettings } from './renderSettings.ts'

/** Writes docs/settings.md. */
await writeFile(join(import.meta.dirname, '../../docs/settings.md'), renderSettings())
