import { valibotResolver } from '@hookform/resolvers/valibot'
import { type ReactNode, useState } from 'react'
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
import { Button } from '../controls'
import { ConfirmDialog } from '../Dialog'
import css from './pages.module.css'

/** Ties a field component to one value of the form; a name of another type does not compile. */
export interface Bound<Values extends FieldValues, Name extends Path<Values>> {
  control: Control<Values>
  name: Name
}
export type Field<Values extends FieldValues> = <Name extends Path<Values>>(
  name: Name,
) => Bound<Values, Name>
export type NameOf<Values extends FieldValues, Value> = FieldPathByValue<Values, Value>

/** An edit screen: the frame and its saving; the fields are its children. Refusals land at their field. */
export const EditPage = <Values extends FieldValues>({
  title,
  schema,
  initial,
  onSave,
  onRemove,
  children,
}: {
  title: string
  schema: BaseSchema<unknown, Values, BaseIssue<unknown>>
  initial: DefaultValues<Values>
  /** Rejects with a Refusal; its `field` says where it is shown. */
  onSave: (values: Values) => Promise<unknown>
  onRemove?: (() => Promise<unknown>) | undefined
  children: (field: Field<Values>) => ReactNode
}) => {
  const { t } = useTranslation()
  const [removing, setRemoving] = useState(false)
  const form = useForm<Values>({
    defaultValues: initial,
    // The resolver's own generics ask for schema input and output; ours are the same by construction.
    resolver: valibotResolver(schema as never) as never,
  })
  const { isSubmitting, errors } = form.formState
  const save = form.handleSubmit(async (values) => {
    try {
      await onSave(values)
    } catch (error) {
      const { key, field, params } = error as Refusal
      form.setError((field as Path<Values> | undefined) ?? 'root', {
        message: t(key, params ?? {}),
      })
    }
  })
  return (
    <div className={css.page}>
      <h1>{title}</h1>
      <form className={css.form} onSubmit={(event) => void save(event)} noValidate>
        {children((name) => ({ control: form.control, name }))}
        {errors.root?.message && <p role="alert">{errors.root.message}</p>}
        <div className={css.foot}>
          <Button look="primary" type="submit" busy={isSubmitting}>
            {t('save')}
          </Button>
          {onRemove && (
            <Button look="danger" onClick={() => setRemoving(true)}>
              {t('delete')}
            </Button>
          )}
        </div>
      </form>
      {removing && onRemove && (
        <ConfirmDialog
          danger
          title={`${t('delete')}: ${title}`}
          confirm={t('delete')}
          onConfirm={onRemove}
          onClose={() => setRemoving(false)}
        />
      )}
    </div>
  )
}
