import { z } from 'zod'

/** Facts of a setting for operators; the deployment, its templates, the doctor and docs/settings.md read them. */
export type SettingFacts = {
  /** noun phrase; with the format and an example where the name does not show it */
  description: string
  /**
   * who provides the value:
   * `network`: the operator, one per network, else that of the shared file · `shared`: the operator, one for all networks ·
   * `deployment`: derived by a deployment · `configuration`: written in wrangler.toml · `local`: set by local stacks only
   */
  scope: 'network' | 'shared' | 'deployment' | 'configuration' | 'local'
  unit?: string
  /** value of an absent setting, as an operator would write it */
  default?: string
  /** effect of an absent setting, when there is no default */
  absent?: string
  /** required for any deployment */
  required?: true
  /** stored as a Worker secret: not readable afterwards, in no configuration and no log */
  secret?: true
  /** the Workers' values are derived from the operator's instead of copied */
  isDerived?: true
}

/** The facts of each declared setting, by its schema. */
export const settingFacts = z.registry<SettingFacts>()

type Setting<Schema extends z.ZodType, Facts extends SettingFacts> = Facts extends { default: string }
  ? z.ZodPrefault<Schema>
  : Facts extends { required: true }
    ? Schema
    : z.ZodOptional<Schema>

/**
 * Declares a setting: one field of the `settingsSchema` of each Worker that reads it.
 * @param schema of the text in the Worker's environment
 * @param facts with a `default`, an absent setting has that value; without `default` and `required` it is undefined
 */
export const setting = <Schema extends z.ZodType, const Facts extends SettingFacts>(
  schema: Schema,
  facts: Facts,
): Setting<Schema, Facts> => {
  const field = toField(schema, facts)
  settingFacts.add(field, facts)
  return field as Setting<Schema, Facts>
}

const toField = (schema: z.ZodType, facts: SettingFacts): z.ZodType => {
  if (facts.default !== undefined) return z.prefault(schema, facts.default)
  // facts belong to the field, not to a schema that others use, too
  return facts.required ? schema.clone() : z.optional(schema)
}
