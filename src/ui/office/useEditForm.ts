import { valibotResolver } from '@hookform/resolvers/valibot'
import {
  type Control,
  type DefaultValues,
  type FieldPathByValue,
  type FieldValues,
  type Path,
  useForm,
} from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { BaseIssue, BaseSchema } from 'valibot'
import type { Refusal } from '~/domain/errors'

/** Ties a field component to one value of the form; a name of another type does not compile. */
export interface Bound<Values extends FieldValues, Name extends Path<Values>> {
  control: Control<Values>
  name: Name
}
export type Field<Values extends FieldValues> = <Name extends Path<Values>>(
  name: Name,
) => Bound<Values, Name>
export type NameOf<Values extends FieldValues, Value> = FieldPathByValue<Values, Value>

export interface EditForm<Values extends FieldValues> {
  schema: BaseSchema<unknown, Values, BaseIssue<unknown>>
  initial: DefaultValues<Values>
  /** Rejects with a Refusal; its `field` says where it is shown. */
  onSave: (values: Values) => Promise<unknown>
}

/** A form by its schema: checked on saving, each refusal at its field, the first wrong one focused. */
export const useEditForm = <Values extends FieldValues>({
  schema,
  initial,
  onSave,
}: EditForm<Values>) => {
  const { t } = useTranslation()
  const form = useForm<Values>({
    defaultValues: initial,
    // The resolver's own generics ask for schema input and output; ours are the same by construction.
    resolver: valibotResolver(schema as never) as never,
  })
  const field: Field<Values> = (name) => ({ control: form.control, name })
  const save = form.handleSubmit(async (values) => {
    try {
      await onSave(values)
      // What is saved is no unsaved change any more.
      form.reset(values)
    } catch (error) {
      const { key, field: at, params } = error as Refusal
      const known = at !== undefined && at in form.getValues()
      form.setError(known ? (at as Path<Values>) : ('root' as const), {
        message: t(key, params ?? {}),
      })
    }
  })
  return { form, field, save }
}
