import { z } from 'zod';
import { wireBoolean, wireNumber } from '../wire.ts';

const share = (of: string) => wireNumber.meta({ description: `${of}, in percent` });

export const flipModifier = z
  .object({
    type: z.literal('flip').meta({ description: 'Kind of edit', type: 'string', enum: ['flip'] }),
    args: z
      .object({
        flip: z
          .object({
            horizontal: wireBoolean.meta({ description: 'Left and right change places' }),
            vertical: wireBoolean.meta({ description: 'Top and bottom change places' }),
          })
          .meta({ description: 'What changes places' }),
      })
      .meta({ description: 'How it is flipped' }),
  })
  .meta({ title: 'Flip' });

export const rotateModifier = z
  .object({
    type: z.literal('rotate').meta({ description: 'Kind of edit' }),
    args: z
      .object({ angle: wireNumber.meta({ description: 'Degrees, clockwise' }) })
      .meta({ description: 'How it is turned' }),
  })
  .meta({ title: 'Rotation' });

export const cropModifier = z
  .object({
    type: z.literal('crop').meta({ description: 'Kind of edit' }),
    args: z
      .object({
        left: share('Left edge'),
        top: share('Upper edge'),
        width: share('Width'),
        height: share('Height'),
      })
      .meta({ description: 'What is left of it' }),
  })
  .meta({ title: 'Crop' });

/** An edit of a picture. */
export const imageModifier = z.union([flipModifier, rotateModifier, cropModifier]).meta({ description: 'An edit' });
export type ImageModifier = z.output<typeof imageModifier>;

/** What the index says of an edit: one of its forms, each with all that it has to hold. */
export const imageModifierDescribed = {
  description: 'An edit',
  type: 'object',
  required: ['type', 'args'],
  oneOf: [flipModifier, rotateModifier, cropModifier].map(describeForm),
};

function describeForm(form: z.ZodObject) {
  const { title, properties } = z.toJSONSchema(form, {
    io: 'output',
    override({ jsonSchema }) {
      delete jsonSchema.additionalProperties;
      if (jsonSchema.const === undefined) return;
      jsonSchema.enum = [jsonSchema.const as string];
      delete jsonSchema.const;
    },
  });
  return { title, properties };
}
