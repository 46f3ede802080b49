# The service in an image without a shell or a package manager, for a user without rights and a read-only file system.
FROM node:24-bookworm AS build
WORKDIR /build
COPY . .
RUN npm install --omit=dev --no-audit --no-fund && npm run prune
# The service alone, without what only people and compilers read. The built dashboard is as new as its sources, so no start builds it.
RUN set -eu; mkdir -p /app/packages /app/lib /data; \
  cp package.json LICENSE NOTICE /app/; \
  cp -a node_modules launcher /app/; \
  cp -a packages/contract packages/minilm packages/sdk packages/cli packages/server packages/dashboard /app/packages/; \
  cd /app; \
  rm -rf packages/server/test packages/sdk/test packages/cli/test; \
  rm -rf packages/dashboard/test; find packages -name '*.test.ts' -delete; \
  find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete; \
  find node_modules -xtype l -delete; \
  ln -s node_modules/node-linux-*/bin/node node; \
  cp -L /usr/lib/*-linux-gnu/libatomic.so.1 lib/; \
  chown 65532:65532 /data

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /app /app
COPY --from=build --chown=65532:65532 /data /data
WORKDIR /app
# Node needs libatomic, which the image does not have. Temporary files of conversions go to the data directory, too.
ENV LD_LIBRARY_PATH=/app/lib NODE_ENV=production KCS_HOST=0.0.0.0 KCS_DATA_DIR=/data
USER 65532:65532
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["/app/node", "/app/launcher/kcs-server.mjs"]
CMD ["serve"]
