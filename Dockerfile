# `hookbell serve` in a container. docs/reference/INSTALL.md has the line that runs it with a read-only root file system.
FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund \
  && npm pack --silent \
  && npm install --global --ignore-scripts --prefix /opt/hookbell ./hookbell-*.tgz

FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
COPY --from=build /opt/hookbell /opt/hookbell
RUN install -d -m 700 -o node -g node /data
ENV PATH=/opt/hookbell/bin:$PATH NODE_ENV=production HOOKBELL_STATE_DIR=/data HOOKBELL_CONFIG_DIR=/data/config
USER node
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8765/openapi.json').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# A proxy in front of it speaks TLS: without one, serve listens to this machine alone.
ENTRYPOINT ["hookbell", "serve", "--host", "0.0.0.0", "--behind-proxy"]
