import { valibotResolver } from '@hookform/resolvers/valibot'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import {
  type Control,
  type DefaultValues,
  type FieldPathByValue,
  type FieldValues,
  type Path,
  type Resolver,
  useForm,
} from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { BaseIssue, BaseSchema } from 'valibot'
import type { DomainError } from '~/domain/api/errors'
import { focusFirstInvalid } from '~/src/ui/focusFirstInvalid'
import type { ConcurrentEdit, FieldDescription } from './concurrentEdits'
import { isRequired } from './requiredFields'
import { useSingleRun } from '~/src/ui/useSingleRun'

/** Binds a field component to one value of the form; a name of another type does not compile. */
export interface FieldBinding<Values extends FieldValues, Name extends Path<Values>> {
  control: Control<Values>
  name: Name
  /** True when the form requires a value. */
  isRequired: boolean
  /** A change made elsewhere while the form is open, with its author if known. */
  concurrentEdit?: (ConcurrentEdit & { author: string | undefined }) | undefined
  /** Gives the form the field's label, so that its messages can name the field. */
  describe?: (described: FieldDescription) => void
}
export type BindField<Values extends FieldValues> = <Name extends Path<Values>>(
  name: Name,
) => FieldBinding<Values, Name>
export type FieldName<Values extends FieldValues, Value> = FieldPathByValue<Values, Value>

/** The initial values of a form: a number field may be empty, which is null. */
export type InitialValues<Values> = { [Name in keyof Values]?: Values[Name] | null }

export interface SchemaFormOptions<Values extends FieldValues> {
  schema: BaseSchema<FieldValues, Values, BaseIssue<unknown>>
  initial: InitialValues<Values>
  /**
   * Receives the values in the form that the schema gives them. Rejects with a DomainError; its
   * `field` names the field that shows it.
   */
  onSubmit: (values: Values) => Promise<unknown>
}

/**
 * Creates a form for a schema. It validates on submission, shows each error at its field, keeps the
 * typed text, and scrolls to the first invalid field. For a record that other people may change
 * meanwhile, use `useEditForm`.
 */
export const useSchemaForm = <Values extends FieldValues>({
  schema,
  initial,
  onSubmit,
}: SchemaFormOptions<Values>) => {
  const { t } = useTranslation()
  const form = useForm<Values, unknown, Values>({
    defaultValues: initial as DefaultValues<Values>,
    // The values of an open form are not typed as the schema's input: a number may still be null.
    resolver: valibotResolver(schema) as Resolver<Values, unknown, Values>,
    // The browser would leave the field under a sticky header.
    shouldFocusError: false,
  })
  // Reading these subscribes to them.
  const { errors, submitCount } = form.formState
  const { busy: isSubmitting, run } = useSingleRun()
  const element = useRef<HTMLFormElement>(null)
  /** Number of refusals, which the form does not count as submissions when a dialog caused them. */
  const [refusals, setRefusals] = useState(0)
  const hasErrors = Object.keys(errors).length > 0
  useEffect(() => {
    if (hasErrors) focusFirstInvalid(element.current)
    // At each attempt, not when a value becomes wrong.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [submitCount, refusals])
  const runRequest = async (work: () => Promise<unknown>) => {
    form.clearErrors()
    try {
      await work()
    } catch (error) {
      const { key, field: at, params } = error as DomainError
      const isField = at !== undefined && at in form.getValues()
      form.setError(isField ? (at as Path<Values>) : ('root' as const), {
        message: t(key, params ?? {}),
      })
      setRefusals((count) => count + 1)
    }
  }
  /** Runs a request, and shows its refusal at the field that it names or at the form. */
  const attempt = (work: () => Promise<unknown>) => run(() => runRequest(work))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    return run(() => form.handleSubmit((values) => runRequest(() => onSubmit(values)))(event))
  }
  const field: BindField<Values> = (name) => ({
    control: form.control,
    name,
    isRequired: isRequired(schema, name),
  })
  return { form, element, field, submit, attempt, isSubmitting, problem: errors.root?.message }
}
